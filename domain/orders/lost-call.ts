// What a call whose gateway died is reported as. Pure.
import type { CallReport } from '../calls/call-report.ts';
import type { Attempt } from './order.ts';
import type { OrderFile } from './order-queries.ts';

/** Billed to the last heard word, undecided, by our own fault. */
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
