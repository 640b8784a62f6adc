// Reports of whole talks by how they went.
import type { CallReport } from '../../domain/calls/call-report.ts';
import { callReport, machineReport, silentReport } from './call-report.ts';

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
export function talkReport(kind: TalkKind, answeredAt: Date | null, endedAt: Date): CallReport {
  if (kind === 'nobody') return silentReport;
  if (kind === 'machine') return machineReport(endedAt);
  return callReport(endedAt, { talkStartedAt: answeredAt ?? endedAt, ...changes[kind] });
}
