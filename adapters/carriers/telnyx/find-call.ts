// Looks a call up: by its control id, by our reference while it lives, or by its numbers afterwards.
import type { CallLookup, Carrier, CarrierCallState } from '../../../domain/calls/carrier.ts';
import { clientStateOf } from './client-state.ts';
import type { TelnyxClient } from './telnyx-client.ts';
import { readTelnyxFailure } from './telnyx-failure.ts';

const limits = {
  listedCalls: 250,
  listedEvents: 250,
  /** Telnyx's clock is not ours. */
  clockSlackMs: 10_000,
} as const;

type CallQuery = Parameters<Carrier['findCall']>[0];

export async function findCall(
  client: TelnyxClient,
  connectionId: string,
  query: CallQuery,
): Promise<CallLookup> {
  try {
    if (query.carrierCallId !== null) return await findById(client, query.carrierCallId);
    const living = await findByReference(client, connectionId, query.attemptId);
    return living ?? (await findByNumbers(client, query));
  } catch (error) {
    const failure = readTelnyxFailure(error);
    const detail = failure.kind === 'unknown' ? failure.detail : failure.code;
    return { kind: 'unreachable', detail };
  }
}

/** Telnyx forgets a call ten minutes after its end: one that has an id was placed all the same. */
async function findById(client: TelnyxClient, carrierCallId: string): Promise<CallLookup> {
  const known = await client.calls.retrieveStatus(carrierCallId).catch((error: unknown) => {
    const failure = readTelnyxFailure(error);
    if (failure.kind === 'refused' && (failure.httpStatus === 404 || failure.httpStatus === 422))
      return { data: undefined };
    throw error;
  });
  const call = known.data;
  if (!call) return { kind: 'found', carrierCallId, state: 'completed', durationSeconds: null };
  const events = await listEventNames(client, { leg_id: call.call_leg_id });
  return {
    kind: 'found',
    carrierCallId,
    state: stateOf(events, call.is_alive),
    durationSeconds: call.is_alive ? null : (call.call_duration ?? null),
  };
}

/** Calls that live carry what we sent along with the dial. */
async function findByReference(
  client: TelnyxClient,
  connectionId: string,
  attemptId: string,
): Promise<CallLookup | null> {
  const reference = clientStateOf(attemptId);
  const pages = client.connections.listActiveCalls(connectionId, {
    'page[size]': limits.listedCalls,
  });
  for await (const call of pages)
    if (call.client_state === reference) return findById(client, call.call_control_id);
  return null;
}

/** Past calls are known by their events only, which name neither our reference nor the control id. */
async function findByNumbers(client: TelnyxClient, query: CallQuery): Promise<CallLookup> {
  const { to, from, placedAfter } = query;
  const since = new Date(placedAfter.getTime() - limits.clockSlackMs);
  const events = await listEvents(client, { to, from, occurred_at: { gte: since.toISOString() } });
  const leg = events[0]?.call_leg_id;
  if (leg === undefined) return { kind: 'none' };
  const names = events.filter((event) => event.call_leg_id === leg).map(({ name }) => name);
  return {
    kind: 'found',
    carrierCallId: null,
    state: stateOf(names, !names.includes('call.hangup')),
    durationSeconds: null,
  };
}

type EventFilter = NonNullable<
  NonNullable<Parameters<TelnyxClient['callEvents']['list']>[0]>['filter']
>;

async function listEvents(client: TelnyxClient, filter: EventFilter) {
  const page = await client.callEvents.list({ filter, 'page[size]': limits.listedEvents });
  return page.data;
}

async function listEventNames(client: TelnyxClient, filter: EventFilter): Promise<string[]> {
  return (await listEvents(client, filter)).map(({ name }) => name);
}

/** Why an unanswered call ended is told by its webhook only. */
function stateOf(eventNames: readonly string[], isAlive: boolean): CarrierCallState {
  const wasAnswered = eventNames.includes('call.answered');
  if (isAlive) return wasAnswered ? 'in_progress' : 'ringing';
  return wasAnswered ? 'completed' : 'no_answer';
}
