// The state machine of an order, whole: from where, on what, to where, and the event that tells it. Pure.
import type { OrderStatus } from '../../openapi/outcome.ts';

interface Move {
  readonly from: readonly OrderStatus[];
  readonly on: string;
  readonly to: OrderStatus | 'unchanged';
  readonly event: 'order.completed' | 'order.updated' | null;
}

const waiting = ['QUEUED', 'RETRY_SCHEDULED'] as const;
/** A person may be known only from the report that ends the call, so that both states end in every way. */
const live = ['DIALING', 'IN_PROGRESS'] as const;
const final = ['BOOKED', 'QUALIFIED', 'DISQUALIFIED', 'FAILED', 'VOICEMAIL_SMS_SENT'] as const;
const completed = 'order.completed';
const updated = 'order.updated';

/** Anything else is rejected here, and by the trigger `legal_move` of the table. */
export const orderMachine = [
  // At dial time.
  { from: waiting, on: 'dial_begun', to: 'DIALING', event: null },
  { from: waiting, on: 'waits', to: 'unchanged', event: null },
  { from: waiting, on: 'waits_for_money', to: 'unchanged', event: updated },
  {
    from: [...waiting, 'VOICEMAIL_SMS_SENT'],
    on: 'dial_forbidden',
    to: 'FAILED',
    event: completed,
  },
  { from: ['VOICEMAIL_SMS_SENT'], on: 'interval_ended', to: 'RETRY_SCHEDULED', event: updated },

  // The attempt reached nobody.
  { from: live, on: 'missed', to: 'RETRY_SCHEDULED', event: updated },
  { from: live, on: 'missed_at_last', to: 'FAILED', event: completed },
  { from: live, on: 'texted', to: 'VOICEMAIL_SMS_SENT', event: null },
  { from: live, on: 'texted_at_last', to: 'VOICEMAIL_SMS_SENT', event: completed },
  { from: ['DIALING'], on: 'number_invalid', to: 'FAILED', event: completed },
  { from: live, on: 'number_suppressed', to: 'FAILED', event: completed },
  { from: ['DIALING'], on: 'first_never_rang', to: 'QUEUED', event: null },
  { from: ['DIALING'], on: 'retry_never_rang', to: 'RETRY_SCHEDULED', event: null },
  { from: ['DIALING'], on: 'never_rang_too_often', to: 'FAILED', event: completed },

  // A person answered.
  { from: ['DIALING'], on: 'person_answered', to: 'IN_PROGRESS', event: null },
  { from: live, on: 'booked', to: 'BOOKED', event: completed },
  { from: live, on: 'opted_out', to: 'DISQUALIFIED', event: completed },
  { from: live, on: 'declined', to: 'DISQUALIFIED', event: completed },
  { from: live, on: 'qualified', to: 'QUALIFIED', event: completed },
  { from: live, on: 'unfit', to: 'DISQUALIFIED', event: completed },
  { from: live, on: 'dropped', to: 'RETRY_SCHEDULED', event: updated },
  { from: live, on: 'caller_left', to: 'FAILED', event: completed },
  { from: live, on: 'undecided', to: 'FAILED', event: completed },

  // After the end.
  { from: final, on: 'analysis_added', to: 'unchanged', event: updated },
  { from: final, on: 'analysis_ended', to: 'unchanged', event: null },
] as const satisfies readonly Move[];

export type OrderHappening = (typeof orderMachine)[number]['on'];
export type OrderEventName = Move['event'];

/** Thrown for a move that the table does not have. */
export class ImpossibleMoveError extends Error {
  override readonly name = 'ImpossibleMoveError';
}

const moveOn = new Map<OrderHappening, Move>(orderMachine.map((move) => [move.on, move]));

/** Where the order stands after this, and the event that tells it. */
export function nextStatus(
  from: OrderStatus,
  on: OrderHappening,
): { readonly status: OrderStatus; readonly event: OrderEventName } {
  const move = moveOn.get(on);
  if (!move?.from.includes(from)) throw new ImpossibleMoveError(`${from} does not move on ${on}.`);
  return { status: move.to === 'unchanged' ? from : move.to, event: move.event };
}
