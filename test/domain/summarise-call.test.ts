import { expect, it } from 'vitest';
import type { CallReport } from '../../domain/calls/call-report.ts';
import { summariseCall } from '../../domain/calls/summarise-call.ts';
import { demoAgent } from '../../domain/workspaces/demo-agent.ts';

const report: CallReport = {
  answeredBy: 'person',
  talkStartedAt: new Date('2026-11-23T15:00:00Z'),
  talkEndedAt: new Date('2026-11-23T15:01:00Z'),
  personSpoke: true,
  endedBy: 'agent',
  optedOut: null,
  interest: 'yes',
  answers: [{ key: 'homeowner', value: true, quote: 'Yes, I am.', atSecond: 20 }],
  booking: null,
  askedKeys: ['homeowner'],
  summary: null,
  recordingObjected: false,
  turnLatenciesMs: [],
  brain: 'script',
};

it('tells the end first, then each answer behind its question', () => {
  const booking = { startTime: '2026-11-24T15:00:00.000Z', calendarEventId: 'cal_1' };
  expect(summariseCall(demoAgent, { ...report, booking })).toBe(
    'The person booked an appointment at 2026-11-24T15:00:00.000Z. Are you the owner of the home? Yes.',
  );
});

it.each([
  [{ optedOut: 'stop_calling' as const }, 'asked not to be called again'],
  [{ optedOut: 'wrong_number' as const }, 'belongs to somebody else'],
  [{ interest: 'no' as const }, 'was not interested'],
  [{ personSpoke: false, interest: 'unknown' as const }, 'hung up without a word'],
])('%o', (change, words) => {
  expect(summariseCall(demoAgent, { ...report, ...change })).toContain(words);
});
