// Reports of calls as a gateway hands them in, for tests.
import type { CallReport } from '../../domain/calls/call-report.ts';

export const talkKinds = [
  'booked',
  'qualified',
  'knocked_out',
  'not_interested',
  'stop_calling',
  'wrong_number',
  'undecided',
  'without_a_word',
  'own_fault',
  'machine',
  'nobody',
] as const;
export type TalkKind = (typeof talkKinds)[number];

const silent: CallReport = {
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
  brain: 'script',
};

const answer = (key: string, value: boolean | number | string) => ({
  key,
  value,
  quote: 'Yes.',
  atSecond: 1,
});
const goodAnswers = [
  answer('homeowner', true),
  answer('roof_age_years', 12),
  answer('start', 'this month'),
];

const changes: Record<TalkKind, Partial<CallReport>> = {
  booked: {
    interest: 'yes',
    answers: goodAnswers,
    booking: { startTime: '2026-11-24T17:00:00.000Z', calendarEventId: 'cal_1' },
  },
  qualified: { interest: 'yes', answers: goodAnswers },
  knocked_out: { answers: [answer('homeowner', false)] },
  not_interested: { interest: 'no' },
  stop_calling: { optedOut: 'stop_calling' },
  wrong_number: { optedOut: 'wrong_number' },
  undecided: {},
  without_a_word: { personSpoke: false },
  own_fault: { endedBy: 'own_fault' },
  machine: {},
  nobody: {},
};

/** `answeredAt` null: the talk began when it ended. */
export function callReport(kind: TalkKind, answeredAt: Date | null, endedAt: Date): CallReport {
  if (kind === 'nobody') return silent;
  if (kind === 'machine') return { ...silent, answeredBy: 'machine', endedBy: 'agent' };
  return {
    ...silent,
    answeredBy: 'person',
    talkStartedAt: answeredAt ?? endedAt,
    talkEndedAt: endedAt,
    personSpoke: true,
    endedBy: 'agent',
    ...changes[kind],
  };
}
