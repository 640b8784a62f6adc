// Named SQL of calls to our own numbers.
import type { Db } from '../../platform/db.ts';
import type { CallRef } from '../calls/call-desk.ts';

export interface NewInboundCall {
  readonly carrierCallId: string;
  readonly calledNumber: string;
  /** E.164 or `anonymous`. */
  readonly callerPhone: string;
  readonly orderId: string;
  readonly attemptId: string;
  readonly consent: object;
  readonly now: Date;
  readonly watchAt: Date;
  readonly minutePriceMicros: number;
}

export type InboundRefusal =
  | 'no_agent'
  | 'agent_inactive'
  | 'agent_not_published'
  | 'plan_inactive'
  | 'plan_past_due'
  | 'insufficient_balance'
  | 'number_in_call'
  | 'live_call_limit';

export type BeginInboundCallAnswer =
  | {
      readonly outcome: 'taken' | 'repeated';
      readonly workspace_id: string;
      readonly order_id: string;
      readonly attempt_id: string;
      readonly created_ms: number;
    }
  | { readonly outcome: InboundRefusal; readonly workspace_id: string }
  | { readonly outcome: 'unknown_number'; readonly workspace_id?: undefined };

/** Makes order, attempt and hold in one statement, or tells why it made none of them. */
export async function beginInboundCall(
  db: Db,
  call: NewInboundCall,
): Promise<BeginInboundCallAnswer> {
  const [row] = await db<{ answer: BeginInboundCallAnswer }[]>`
    select begin_inbound_call(${call.carrierCallId}, ${call.calledNumber}, ${call.callerPhone}, ${call.orderId},
      ${call.attemptId}, ${db.json(call.consent as never)}, ${call.now}, ${call.watchAt},
      ${call.minutePriceMicros}::bigint) as answer`;
  if (!row) throw new Error('A select of a function gives one row.');
  return row.answer;
}

/** The attempt of a call to us by the carrier's id; null for one that was not taken. */
export async function findInboundCall(db: Db, carrierCallId: string): Promise<CallRef | null> {
  const [call] = await db<CallRef[]>`
    select workspace_id, order_id, id as attempt_id from attempts
    where carrier_call_id = ${carrierCallId} and direction = 'inbound'`;
  return call ?? null;
}
