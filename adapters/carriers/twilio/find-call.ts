// Looks a call up: by its sid, or by its numbers when the answer that held the sid was lost.
import type { CallLookup, Carrier } from '../../../domain/calls/carrier.ts';
import type { TwilioClient } from './twilio-client.ts';
import { isNotFound, readTwilioFailure } from './twilio-failure.ts';
import { callStateOf, secondsOf } from './twilio-statuses.ts';

const limits = {
  listedCalls: 50,
  /** Twilio's dates have whole seconds, and its clock is not ours. */
  clockSlackMs: 10_000,
} as const;

type CallQuery = Parameters<Carrier['findCall']>[0];

export async function findCall(client: TwilioClient, query: CallQuery): Promise<CallLookup> {
  try {
    if (query.carrierCallId !== null)
      return describe(await client.calls(query.carrierCallId).fetch());
    const call = await findByNumbers(client, query);
    return call ? describe(call) : { kind: 'none' };
  } catch (error) {
    const failure = readTwilioFailure(error);
    if (query.carrierCallId !== null && isNotFound(failure)) return { kind: 'none' };
    return {
      kind: 'unreachable',
      detail: failure.kind === 'unknown' ? failure.detail : failure.code,
    };
  }
}

interface ListedCall {
  readonly sid: string;
  readonly status: string;
  readonly duration: string;
  readonly dateCreated: Date;
}

/**
 * Newest first, and not filtered by start time: a call that still waits in Twilio's queue has none.
 * The first call after the moment of placing is ours; later ones belong to later attempts.
 */
async function findByNumbers(client: TwilioClient, query: CallQuery): Promise<ListedCall | null> {
  const { to, from, placedAfter } = query;
  const calls = await client.calls.list({ to, from, limit: limits.listedCalls });
  const earliestMs = placedAfter.getTime() - limits.clockSlackMs;
  const ours = calls.filter((call) => call.dateCreated.getTime() >= earliestMs);
  return ours.toSorted((a, b) => a.dateCreated.getTime() - b.dateCreated.getTime())[0] ?? null;
}

function describe(call: Pick<ListedCall, 'sid' | 'status' | 'duration'>): CallLookup {
  const state = callStateOf(call.status);
  if (!state) return { kind: 'unreachable', detail: `call status ${call.status}` };
  const durationSeconds = secondsOf(call.duration);
  return { kind: 'found', carrierCallId: call.sid, state, durationSeconds };
}
