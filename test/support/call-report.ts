// What a gateway hands in at the end of a call, for tests that need no audio.
import type { CallReport } from '../../domain/calls/call-report.ts';

/** Nobody was reached, and nothing was said. */
export const silentReport: CallReport = {
  answeredBy: 'nobody',
  talkStartedAt: null,
  talkEndedAt: null,
  personSpoke: false,
  endedBy: 'carrier',
  optedOut: null,
  interest: 'unknown',
  answers: [],
  booking: null,
  askedKeys: [],
  summary: null,
  recordingObjected: false,
  turnLatenciesMs: [],
  brain: 'test',
};

/** A person answered, said something, and decided nothing. */
export function callReport(now: Date, change: Partial<CallReport> = {}): CallReport {
  return {
    ...silentReport,
    answeredBy: 'person',
    talkStartedAt: now,
    talkEndedAt: now,
    personSpoke: true,
    endedBy: 'agent',
    ...change,
  };
}

export function machineReport(now: Date): CallReport {
  return callReport(now, { answeredBy: 'machine', talkStartedAt: null, talkEndedAt: null });
}
