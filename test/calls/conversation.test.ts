// Whole calls over real audio with the people of the sandbox network; all ring at once.
import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disclosureText } from '../../domain/calls/disclosure.ts';
import { testAgent } from '../voice/support/memory-desk.ts';
import {
  openSandboxCalls,
  type SandboxCall,
  type SandboxCalls,
} from '../voice/support/sandbox-calls.ts';

const oneQuestion = { agent: { questions: testAgent.questions.slice(0, 1) } };
const keys = [
  'books',
  'qualifies',
  'not_interested',
  'stop_calling',
  'objects_to_recording',
  'talks_over',
  'voicemail',
  'hangs_up',
] as const;
type Key = (typeof keys)[number];

const notice = `agent: ${disclosureText(testAgent, 'Sam')}`;
let network: SandboxCalls;
let rung: Map<Key, Promise<SandboxCall>>;

beforeAll(async () => {
  network = await openSandboxCalls();
  rung = new Map(keys.map((key) => [key, network.ring(key, oneQuestion)]));
});
afterAll(() => network[Symbol.asyncDispose]());

async function callTo(key: Key): Promise<SandboxCall> {
  const call = await rung.get(key);
  if (!call) throw new Error('nobody was rung');
  return call;
}

describe('somebody who books', () => {
  test('hears the notice, answers, and gets the first time offered', async () => {
    const { report, transcript } = await callTo('books');
    expect(transcript).toContain(notice);
    expect(transcript).toContain('user: Yes, I am.');
    expect(transcript.at(-1)).toContain('you are booked for Tuesday, November 24 at 10 AM');
    expect(report).toMatchObject({
      answeredBy: 'person',
      endedBy: 'agent',
      personSpoke: true,
      interest: 'yes',
      booking: { startTime: '2026-11-24T15:00:00.000Z', calendarEventId: 'cal_test' },
      askedKeys: ['homeowner'],
      answers: [{ key: 'homeowner', value: true, quote: 'Yes, I am.' }],
      brain: 'script',
    });
  });

  test('tells for each answered turn how long the person waited', async () => {
    const { report } = await callTo('books');
    expect(report.turnLatenciesMs).toHaveLength(2);
    for (const latencyMs of report.turnLatenciesMs) expect(latencyMs).toBeGreaterThan(0);
  });

  test('is recorded from the first answer on, both sides on one timeline', async () => {
    const { desk, report } = await callTo('books');
    const [recording] = desk.recordings;
    const talkMs = Number(report.talkEndedAt) - Number(report.talkStartedAt);
    const answer = [...desk.turns.values()].find((turn) => turn.text === 'Yes, I am.');
    const heardMs = Math.max(...[...desk.turns.values()].map((turn) => turn.endMs));
    expect(recording?.durationMs).toBeLessThan(talkMs);
    expect(recording?.durationMs).toBeGreaterThan(heardMs - (answer?.startMs ?? 0) - 1_500);
    expect((await stat(recording?.path ?? '')).size).toBeGreaterThan(
      (recording?.durationMs ?? 0) * 16,
    );
  });

  test('is reported to the desk in the right order', async () => {
    const { desk } = await callTo('books');
    const journal = desk.journal.filter((asked) => asked !== 'keepAlive');
    expect(journal).toEqual([
      'admit',
      'personAnswered',
      'book 2026-11-24T15:00:00.000Z',
      'hangUp',
      'keepRecording',
      'finish',
    ]);
  });
});

test('somebody who declines the appointment stays interested', async () => {
  const { report } = await callTo('qualifies');
  expect(report).toMatchObject({ interest: 'yes', booking: null, endedBy: 'agent' });
  expect(report.answers).toHaveLength(1);
});

test('somebody who is not interested is let go', async () => {
  const { report, transcript } = await callTo('not_interested');
  expect(report).toMatchObject({ interest: 'no', booking: null, answers: [] });
  expect(transcript.at(-1)).toMatch(/^agent: No problem/);
});

test('"stop calling" over the notice silences the agent, is kept, and is confirmed', async () => {
  const { report, transcript, desk } = await callTo('stop_calling');
  expect(report).toMatchObject({ optedOut: 'stop_calling', answeredBy: 'person', answers: [] });
  expect(transcript).not.toContain(notice);
  expect(transcript.some((turn) => /stop calling/i.test(turn))).toBe(true);
  expect(transcript.some((turn) => turn.includes('will not call you again.'))).toBe(true);
  const kept = desk.journal.indexOf('optOut stop_calling');
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(desk.journal.indexOf('hangUp'));
  expect(desk.recordings).toEqual([]);
});

test('an objection deletes the recording and the talk goes on', async () => {
  const { report, transcript, desk } = await callTo('objects_to_recording');
  expect(report).toMatchObject({
    recordingObjected: true,
    booking: { calendarEventId: 'cal_test' },
  });
  expect(transcript.some((turn) => turn.includes('not being recorded any more'))).toBe(true);
  expect(desk.recordings).toEqual([]);
});

test('talk over the notice does not shorten it, and is answered after it', async () => {
  const { report, transcript } = await callTo('talks_over');
  expect(transcript).toContain(notice);
  expect(
    transcript.some((turn) => turn.startsWith('agent: This is the virtual AI assistant')),
  ).toBe(true);
  expect(report.booking).not.toBeNull();
});

test('voicemail is left alone: no conversation, no recording', async () => {
  const { report, desk } = await callTo('voicemail');
  expect(report).toMatchObject({
    answeredBy: 'machine',
    personSpoke: false,
    talkStartedAt: null,
    askedKeys: [],
  });
  expect(desk.journal).not.toContain('personAnswered');
  expect(desk.recordings).toEqual([]);
});

test('somebody who hangs up at once was a person who said nothing', async () => {
  const { report } = await callTo('hangs_up');
  expect(report).toMatchObject({ answeredBy: 'person', endedBy: 'person', personSpoke: false });
});
