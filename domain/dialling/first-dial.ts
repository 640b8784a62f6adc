// When the first dial of a new order is due, how that is told, and whether it may ever come. Pure.
import type { AgentHours } from '../calling-hours/next-legal-minute.ts';
import type { Settings } from '../context.ts';
import { dialWindow } from './dial-window.ts';
import type { Asked } from '../orders/intake-verdict.ts';
import type { NewOrder } from '../orders/order-queries.ts';
import { simulation } from '../attempts/simulated-outcome.ts';

/** A live call is placed at once; this covers the way to the carrier. */
const liveDialSeconds = 2;

export type FirstDial = Pick<NewOrder, 'estimatedDialSeconds' | 'nextDialAt'> & {
  /** No legal minute begins soon enough. */
  readonly windowRefusal: Asked['destinationRefusal'];
};

const noCallingWindow = {
  code: 'unsupported_destination',
  message: 'No calling window opens for this number within the next 3 days.',
} as const;

export function firstDial(
  settings: Settings,
  { kind, phone, now }: Pick<NewOrder, 'kind' | 'phone' | 'now'>,
  agentHours: AgentHours,
): FirstDial {
  if (kind === 'simulated') {
    const seconds = simulation.dialAfterSeconds / settings.simulationSpeed;
    const nextDialAt = new Date(now.getTime() + seconds * 1000);
    return { estimatedDialSeconds: Math.ceil(seconds), nextDialAt, windowRefusal: null };
  }
  const window = dialWindow(settings, { phone, simulated: false }, agentHours, now);
  if (!window) return { estimatedDialSeconds: 0, nextDialAt: now, windowRefusal: noCallingWindow };
  const waitSeconds = Math.ceil((window.at.getTime() - now.getTime()) / 1000);
  return {
    estimatedDialSeconds: Math.max(liveDialSeconds, waitSeconds),
    nextDialAt: window.at,
    windowRefusal: null,
  };
}
