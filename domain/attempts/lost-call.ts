// What becomes of a call that no gateway reported. Pure.
import type { CallReport } from '../calls/call-report.ts';
import type { CallLookup } from '../calls/carrier.ts';
import type { AttemptOutcome } from './after-attempt.ts';
import type { Attempt } from '../orders/order.ts';
import type { OrderFile } from '../orders/order-queries.ts';

/** One whose gateway died: billed to the last heard word, undecided, by our own fault. */
export function reportOfLostCall(file: OrderFile, attempt: Attempt): CallReport {
  const talkEndedAt = attempt.lastHeardAt ?? attempt.talkStartedAt;
  return {
    answeredBy: attempt.talkStartedAt ? 'person' : 'nobody',
    talkStartedAt: attempt.talkStartedAt,
    talkEndedAt: attempt.talkStartedAt && talkEndedAt,
    personSpoke: file.turns.some(
      ({ attemptId, role }) => attemptId === attempt.id && role === 'user',
    ),
    endedBy: 'own_fault',
    optedOut: null,
    interest: 'unknown',
    answers: [],
    booking: null,
    askedKeys: [],
    summary: null,
    recordingObjected: false,
    turnLatenciesMs: [],
    brain: 'none',
  };
}

/** A call that the carrier once named may have rung, even when it knows nothing of it any more. */
export function outcomeWithoutMedia(
  lookup: CallLookup,
  attempt: Attempt,
  carrierPausedUntil: Date | null,
): AttemptOutcome {
  if (lookup.kind === 'none')
    return attempt.carrierCallId === null
      ? { kind: 'not_placed', carrierPausedUntil }
      : { kind: 'no_answer' };
  if (lookup.kind === 'unreachable') return { kind: 'no_answer' };
  switch (lookup.state) {
    case 'busy':
      return { kind: 'busy' };
    case 'failed':
      return { kind: 'invalid_number' };
    case 'canceled':
      return { kind: 'declined' };
    case 'queued':
    case 'ringing':
    case 'in_progress':
    case 'completed':
    case 'no_answer':
      return { kind: 'no_answer' };
  }
}
