// When an order may be dialled, and what it waits for until then. Pure.
import { nextLegalMinute } from '../calling-hours/next-legal-minute.ts';
import type { AgentHours, Closure, LegalMinute } from '../calling-hours/next-legal-minute.ts';
import type { Settings } from '../context.ts';
import { readNanpNumber } from '../leads/phone-number.ts';
import type { Order } from '../orders/order.ts';

export type DialledOrder = Pick<Order, 'phone' | 'simulated'>;
type CarrierSettings = Pick<Settings, 'ringsSandbox'>;

/** Kept for fiction and directory assistance: no home has such a number. */
const fictionalExchange = '555';

/** Null when no legal minute begins within 72 hours. What rings nobody has no hours. */
export function dialWindow(
  { ringsSandbox }: CarrierSettings,
  { phone, simulated }: DialledOrder,
  agentHours: AgentHours,
  from: Date,
): LegalMinute | null {
  const fictional = readNanpNumber(phone)?.exchange === fictionalExchange;
  if (simulated || (ringsSandbox && fictional)) return { at: from, why: null };
  return nextLegalMinute(phone, agentHours, from);
}

export interface DialWait {
  /** When the next dial is due; null when none is. */
  readonly nextAttemptAt: Date | null;
  /** The rule that puts it off; null when it falls due on its own. */
  readonly waitingFor: Closure | null;
}

/** What is told of a waiting order: its due time lies at the end of closed hours, or in them after a text. */
export function dialWaitOf(
  settings: CarrierSettings,
  order: DialledOrder & Pick<Order, 'nextDialAt'>,
  agentHours: AgentHours,
  now: Date,
): DialWait {
  const dueAt = order.nextDialAt;
  if (!dueAt) return { nextAttemptAt: null, waitingFor: null };
  const windowFrom = (from: Date) => dialWindow(settings, order, agentHours, from);
  const at = windowFrom(dueAt)?.at ?? dueAt;
  const isAt = (window: LegalMinute | null) => window?.at.getTime() === at.getTime();
  // Closed from now on without a break tells more than what closes in the last minute before.
  const closing = [now, new Date(at.getTime() - 1)].map(windowFrom).find(isAt);
  return { nextAttemptAt: at, waitingFor: closing?.why ?? null };
}
