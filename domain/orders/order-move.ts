// One decided move of an order, carried out by the SQL function move_order as a single statement.
import type { CallReport } from '../calls/call-report.ts';
import type { Attempt, Order } from './order.ts';

export interface OrderMove {
  readonly workspaceId: string;
  readonly orderId: string;
  /** The version that the decision was made on; a move on another version does nothing. */
  readonly version: number;
  readonly now: Date;
  readonly order: Pick<
    Order,
    | 'status'
    | 'reason'
    | 'attemptNumber'
    | 'carrierFaults'
    | 'nextDialAt'
    | 'durationSeconds'
    | 'billedMinutes'
    | 'chargedMicros'
    | 'qualification'
    | 'appointment'
    | 'analysis'
    | 'completedAt'
  >;
  /** The attempt that this move ends, if any; its hold is settled with it. */
  readonly attempt:
    | (Pick<
        Attempt,
        | 'id'
        | 'test'
        | 'outcome'
        | 'answeredBy'
        | 'talkStartedAt'
        | 'talkEndedAt'
        | 'durationSeconds'
        | 'chargedMicros'
      > & {
        readonly state: 'ended' | 'not_placed';
        readonly textMicros: number;
        readonly report: CallReport | null;
      })
    | null;
  readonly texts: readonly {
    readonly id: string;
    readonly state: 'due' | 'simulated';
    readonly phone: string;
    readonly callerNumber: string | null;
    readonly body: string;
    readonly nextTryAt: Date | null;
  }[];
  readonly deliveries: readonly {
    readonly id: string;
    readonly event: 'order.completed' | 'order.updated';
    readonly url: string;
    readonly body: string;
  }[];
}

/** The part of a move that leaves the order's figures as they are. */
export function unchanged(order: Order): OrderMove['order'] {
  return {
    status: order.status,
    reason: order.reason,
    attemptNumber: order.attemptNumber,
    carrierFaults: order.carrierFaults,
    nextDialAt: order.nextDialAt,
    durationSeconds: order.durationSeconds,
    billedMinutes: order.billedMinutes,
    chargedMicros: order.chargedMicros,
    qualification: order.qualification,
    appointment: order.appointment,
    analysis: order.analysis,
    completedAt: order.completedAt,
  };
}
