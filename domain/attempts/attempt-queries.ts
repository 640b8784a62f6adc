// Named SQL of attempts and of what is due.
import type { Db } from '../../platform/db.ts';
import type { CallRef, HeardTurn } from '../calls/call-desk.ts';
import type { CarrierCallState } from '../calls/carrier.ts';
import type { Attempt } from '../orders/order.ts';

export type BeginDialAnswer =
  | { readonly outcome: 'dialing'; readonly caller_number?: string; readonly call_at?: string }
  | {
      readonly outcome: 'daily_cap' | 'caller_numbers_resting' | 'carrier_paused' | 'carrier_busy';
      readonly opens_at: string;
    }
  | {
      readonly outcome:
        | 'lost'
        | 'agent_inactive'
        | 'do_not_contact'
        | 'no_caller_id'
        | 'plan_inactive'
        | 'plan_past_due'
        | 'waiting_for_balance'
        | 'number_in_call'
        | 'live_call_limit';
    };

export interface DialRequest {
  readonly workspaceId: string;
  readonly orderId: string;
  readonly version: number;
  readonly attemptId: string;
  readonly now: Date;
  readonly watchAt: Date;
  readonly minutePriceMicros: number;
  readonly textPriceMicros: number;
  /** Null leaves the choice to the database. */
  readonly callerNumber: string | null;
  /** Dials to the order's number, over all orders of the workspace. */
  readonly dialsMax: number;
  readonly dialsWithinHours: number;
  readonly waitUntil: Date;
  readonly carrierAccount: string;
  readonly callsPerSecond: number | null;
  readonly probeUntil: Date;
}

/** Takes hold, slot and attempt row in one statement, or tells why it took none of them. */
export async function beginDial(db: Db, dial: DialRequest): Promise<BeginDialAnswer> {
  const [row] = await db<{ answer: BeginDialAnswer }[]>`
    select begin_dial(${dial.workspaceId}, ${dial.orderId}, ${dial.version}, ${dial.attemptId}, ${dial.now},
      ${dial.watchAt}, ${dial.minutePriceMicros}::bigint, ${dial.textPriceMicros}::bigint, ${dial.callerNumber},
      ${dial.dialsMax}::int, ${dial.dialsWithinHours}::int * interval '1 hour', ${dial.waitUntil},
      ${dial.carrierAccount}, ${dial.callsPerSecond}::int, ${dial.probeUntil}) as answer`;
  return row?.answer ?? { outcome: 'lost' };
}

/** What begin_dial would fail the order for, where it is not dialled yet; null when nothing does. */
export async function findDialRefusal(
  db: Db,
  order: { workspaceId: string; agentId: string; phone: string; carrier: string },
) {
  const [row] = await db<
    { refusal: 'agent_inactive' | 'do_not_contact' | 'no_caller_id' | null }[]
  >`
    select case
      when not exists (select from agents
        where workspace_id = ${order.workspaceId} and id = ${order.agentId} and active) then 'agent_inactive'
      when exists (select from do_not_contact
        where workspace_id = ${order.workspaceId} and phone = ${order.phone}) then 'do_not_contact'
      when not exists (select from caller_numbers n
        where workspace_id = ${order.workspaceId} and calls_over(n, ${order.carrier})) then 'no_caller_id'
      end as refusal`;
  return row?.refusal ?? null;
}

export async function findAttempt(db: Db, workspaceId: string, attemptId: string) {
  const [attempt] = await db<Attempt[]>`
    select * from attempts where workspace_id = ${workspaceId} and id = ${attemptId}`;
  return attempt ?? null;
}

/** Notes the carrier's id of the call, from its answer or from a callback that came first. */
export async function bindCarrierCall(db: Db, call: CallRef, carrierCallId: string, now: Date) {
  return (await bindCarrierCallSql(db, call, carrierCallId, now)).length > 0;
}

export function bindCarrierCallSql(db: Db, call: CallRef, carrierCallId: string, now: Date) {
  return db`
    update attempts set carrier_call_id = ${carrierCallId}, placed_at = coalesce(placed_at, ${now}),
      state = case when state in ('intent', 'unknown') then 'placed' else state end
    where workspace_id = ${call.workspaceId} and id = ${call.attemptId}
      and state in ('intent', 'unknown', 'placed', 'answered')
      and (carrier_call_id is null or carrier_call_id = ${carrierCallId})
    returning 1`;
}

/** The carrier was asked and nobody knows its answer. */
export async function markUnknown(db: Db, call: CallRef) {
  await db`
    update attempts set state = 'unknown'
    where workspace_id = ${call.workspaceId} and id = ${call.attemptId} and state = 'intent'`;
}

/** Consumes the one-use media token and binds the socket's call; null unless this attempt is live and unbound. */
export async function consumeMediaToken(
  db: Db,
  workspaceId: string,
  attemptId: string,
  carrierCallId: string,
  now: Date,
  watchAt: Date,
) {
  const [attempt] = await db<Attempt[]>`
    update attempts set media_token_used_at = ${now}, gateway_seen_at = ${now}, watch_at = ${watchAt},
      carrier_call_id = ${carrierCallId}, placed_at = coalesce(placed_at, ${now}),
      state = case when state in ('intent', 'unknown') then 'placed' else state end
    where workspace_id = ${workspaceId} and id = ${attemptId} and media_token_used_at is null
      and state in ('intent', 'unknown', 'placed', 'answered') and not test
      and (carrier_call_id is null or carrier_call_id = ${carrierCallId})
    returning *`;
  return attempt ?? null;
}

export async function findTokenUse(db: Db, workspaceId: string, attemptId: string) {
  const [row] = await db<{ used: boolean; live: boolean }[]>`
    select media_token_used_at is not null as used, watch_at is not null as live
    from attempts where workspace_id = ${workspaceId} and id = ${attemptId}`;
  return row ?? null;
}

/** A person answered: order and attempt change together; a repeat changes nothing. */
export async function markAnswered(db: Db, call: CallRef, answeredAt: Date, now: Date) {
  await db`
    with answered as (
      update attempts set state = 'answered', answered_by = 'person',
        talk_started_at = ${answeredAt}, last_heard_at = greatest(last_heard_at, ${answeredAt})
      where workspace_id = ${call.workspaceId} and id = ${call.attemptId} and state = 'placed'
      returning order_id)
    update orders set status = 'IN_PROGRESS', version = version + 1, updated_at = ${now}
    where workspace_id = ${call.workspaceId} and id = (select order_id from answered) and status = 'DIALING'`;
}

export async function keepTurn(db: Db, call: CallRef, turn: HeardTurn, now: Date) {
  await db`
    with kept as (
      insert into transcript_turns (workspace_id, attempt_id, position, role, text, start_ms, end_ms)
      values (${call.workspaceId}, ${call.attemptId}, ${turn.position}, ${turn.role}, ${turn.text},
        ${turn.startMs}, ${turn.endMs})
      on conflict (workspace_id, attempt_id, position)
        do update set text = excluded.text, end_ms = excluded.end_ms)
    update attempts set last_heard_at = greatest(last_heard_at, ${now}), gateway_seen_at = ${now}
    where workspace_id = ${call.workspaceId} and id = ${call.attemptId}`;
}

export async function markGatewaySeen(db: Db, call: CallRef, now: Date, watchAt: Date) {
  await db`
    update attempts set gateway_seen_at = ${now}, watch_at = ${watchAt}
    where workspace_id = ${call.workspaceId} and id = ${call.attemptId} and watch_at is not null`;
}

/** Has the watchdog look at a live attempt at this time at the latest. */
export async function watchSooner(db: Db, workspaceId: string, attemptId: string, at: Date) {
  await db`
    update attempts set watch_at = least(watch_at, ${at}), lease_until = null
    where workspace_id = ${workspaceId} and id = ${attemptId} and watch_at is not null`;
}

export async function watchLater(db: Db, workspaceId: string, attemptId: string, at: Date) {
  await db`
    update attempts set watch_at = ${at}, lease_until = null
    where workspace_id = ${workspaceId} and id = ${attemptId} and watch_at is not null`;
}

const rankOf: Record<CarrierCallState, number> = {
  queued: 1,
  ringing: 2,
  in_progress: 3,
  completed: 4,
  busy: 4,
  no_answer: 4,
  failed: 4,
  canceled: 4,
};

/**
 * Applies a callback once and only forward. Answers the attempt as it stands after it, or null when the callback
 * was seen before or says less than is known.
 */
export async function applyCarrierState(
  db: Db,
  callback: {
    workspaceId: string;
    attemptId: string;
    eventId: string;
    carrierCallId: string;
    state: CarrierCallState;
    durationSeconds: number | null;
    now: Date;
  },
) {
  const [attempt] = await db<Attempt[]>`
    with fresh as (
      insert into carrier_events (workspace_id, attempt_id, event_id, received_at)
      values (${callback.workspaceId}, ${callback.attemptId}, ${callback.eventId}, ${callback.now})
      on conflict do nothing returning 1)
    update attempts set carrier_state = ${callback.state}, carrier_state_rank = ${rankOf[callback.state]},
      carrier_duration_seconds = greatest(carrier_duration_seconds, ${callback.durationSeconds}::int),
      carrier_call_id = ${callback.carrierCallId}, placed_at = coalesce(placed_at, ${callback.now}),
      state = case when state in ('intent', 'unknown') then 'placed' else state end
    where workspace_id = ${callback.workspaceId} and id = ${callback.attemptId}
      and carrier_state_rank < ${rankOf[callback.state]} and watch_at is not null
      and (carrier_call_id is null or carrier_call_id = ${callback.carrierCallId})
      and exists (select from fresh)
    returning *`;
  return attempt ?? null;
}

/** Keeps the carrier's machine verdict and tells the gateway that holds the call. */
export async function applyMachineDetection(
  db: Db,
  callback: {
    workspaceId: string;
    attemptId: string;
    answeredBy: 'person' | 'machine' | 'unknown';
  },
) {
  await db`
    with kept as (
      update attempts set answered_by = coalesce(answered_by, ${callback.answeredBy})
      where workspace_id = ${callback.workspaceId} and id = ${callback.attemptId} and watch_at is not null
      returning id)
    select pg_notify('answered_by', jsonb_build_object('attemptId', id, 'answeredBy', ${callback.answeredBy}::text)::text)
    from kept`;
}

/** One more minute on the open hold of a live call; false when the wallet cannot cover it. */
export async function extendHold(db: Db, call: CallRef): Promise<boolean> {
  const [row] = await db<{ extended: boolean }[]>`
    select extend_hold(${call.workspaceId}, ${call.attemptId}) as extended`;
  return row?.extended === true;
}

export async function findCallReports(db: Db, workspaceId: string, orderId: string) {
  const rows = await db<{ report: unknown }[]>`
    select report from attempts
    where workspace_id = ${workspaceId} and order_id = ${orderId} and report is not null
    order by created_at`;
  return rows.map(({ report }) => report);
}
