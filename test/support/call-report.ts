// What a gateway hands in at the end of a call, for tests that need no audio.
import type { CallReport } from '../../domain/calls/call-report.ts';

/** A person answered, said something, and decided nothing. */
export function callReport(now: Date, change: Partial<CallReport> = {}): CallReport {
  return {
    answeredBy: 'person',
    talkStartedAt: now,
    talkEndedAt: now,
    personSpoke: true,
    endedBy: 'agent',
    optedOut: null,
    interest: 'unknown',
    answers: [],
    booking: null,
    askedKeys: [],
    summary: null,
    recordingObjected: false,
    turnLatenciesMs: [],
    brain: 'none',
    ...change,
  };
}

export function machineReport(now: Date): CallReport {
  return callReport(now, { answeredBy: 'machine', talkStartedAt: null, talkEndedAt: null });
}
