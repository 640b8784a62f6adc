import { describe, expect, test } from 'vitest';
import { createScriptBrain } from '../../adapters/brains/script-brain.ts';
import type { Brain } from '../../domain/calls/brain.ts';
import type { TextToSpeech } from '../../domain/calls/speech.ts';
import { createSubtitlesRecogniser } from '../../adapters/speech/subtitles.ts';
import { createFlite } from '../../adapters/speech/flite.ts';
import { transcriptOf } from '../voice/support/memory-desk.ts';
import { openTestGateway } from '../voice/support/test-gateway.ts';

const patience = { timeout: 20_000 };

async function* failing(): AsyncGenerator<never> {
  yield await Promise.reject(new Error('no voice'));
}

describe('a call is reported exactly once', () => {
  test('when the person hangs up', async () => {
    await using server = await openTestGateway();
    await using caller = await server.call();
    caller.start();
    await caller.say('Hello?');
    await expect.poll(() => transcriptOf(server.desk).length, patience).toBeGreaterThan(1);
    caller.stop();
    expect(await server.desk.reported).toMatchObject({
      answeredBy: 'person',
      endedBy: 'person',
      personSpoke: true,
    });
    expect((await caller.closed).code).toBe(1_000);
    expect(server.desk.reports).toHaveLength(1);
  });

  test('when the socket breaks', async () => {
    await using server = await openTestGateway();
    await using caller = await server.call();
    caller.start();
    await expect.poll(() => server.gateway.activeCalls()).toBe(1);
    caller.socket.terminate();
    expect(await server.desk.reported).toMatchObject({
      answeredBy: 'nobody',
      endedBy: 'carrier',
      talkStartedAt: null,
    });
    await expect.poll(() => server.gateway.activeCalls()).toBe(0);
  });

  test('when the brain fails: an apology, and our own fault', async () => {
    const brain: Brain = {
      name: 'failing',
      async *reply() {
        yield { kind: 'say', text: 'One moment.' };
        throw new Error('no model');
      },
    };
    await using server = await openTestGateway({ gateway: { brain } });
    await using caller = await server.call();
    caller.start();
    await expect.poll(() => server.desk.journal, patience).toContain('hangUp');
    caller.stop();
    expect(await server.desk.reported).toMatchObject({ endedBy: 'own_fault', brain: 'failing' });
    expect(transcriptOf(server.desk).at(-1)).toContain('technical problem');
  });

  test('when the voice fails: the call ends', async () => {
    const tts: TextToSpeech = {
      name: 'failing',
      speak: failing,
    };
    const stt = createSubtitlesRecogniser();
    await using server = await openTestGateway({ gateway: { speech: { tts, stt } } });
    await using caller = await server.call();
    caller.start();
    await expect.poll(() => server.desk.journal, patience).toContain('hangUp');
    caller.stop();
    expect(await server.desk.reported).toMatchObject({ endedBy: 'own_fault' });
  });

  test('even when the report is refused at first', async () => {
    await using server = await openTestGateway();
    const finish = server.desk.finish.bind(server.desk);
    let refusals = 2;
    server.desk.finish = async (call, report) => {
      refusals -= 1;
      if (refusals >= 0) throw new Error('the database is away');
      await finish(call, report);
    };
    await using caller = await server.call();
    caller.start();
    caller.stop();
    await server.desk.reported;
    expect(server.desk.reports).toHaveLength(1);
  });
});

describe('an opt-out', () => {
  test('is kept before the goodbye, although it failed at first', async () => {
    await using server = await openTestGateway({ desk: { optOutFailures: 2 } });
    await using caller = await server.call();
    caller.start();
    await caller.say('Stop calling me.');
    await expect.poll(() => server.desk.journal, patience).toContain('hangUp');
    caller.stop();
    expect(await server.desk.reported).toMatchObject({ optedOut: 'stop_calling' });
    const { journal } = server.desk;
    expect(journal.indexOf('optOut stop_calling')).toBeLessThan(journal.indexOf('hangUp'));
    expect(transcriptOf(server.desk)).toContain('user: Stop calling me.');
    expect(transcriptOf(server.desk).at(-1)).toContain('will not call you again');
  });

  test('by key needs no words', async () => {
    await using server = await openTestGateway();
    await using caller = await server.call();
    caller.start();
    caller.press('9');
    await expect.poll(() => server.desk.journal, patience).toContain('hangUp');
    caller.stop();
    expect((await server.desk.reported).optedOut).toBe('stop_calling');
  });
});

test('a tool that runs while the person talks on is not run again', async () => {
  const booking = Promise.withResolvers<void>();
  const brain: Brain = {
    name: 'booking',
    async *reply(turn, tools) {
      const free = await tools.checkSlots(1);
      const slot = free === 'unavailable' ? undefined : free[0];
      if (slot && turn.turns.some((said) => said.text.includes('ten'))) await tools.book(slot);
      yield { kind: 'say', text: turn.facts.booking ? 'It was booked.' : 'Which time?' };
    },
  };
  await using server = await openTestGateway({ gateway: { brain } });
  const book = server.desk.book.bind(server.desk);
  server.desk.book = async (call, slot) => {
    await booking.promise;
    return book(call, slot);
  };
  await using caller = await server.call();
  caller.start();
  await expect.poll(() => transcriptOf(server.desk), patience).toContain('agent: Which time?');
  await caller.say('At ten.');
  await expect.poll(() => transcriptOf(server.desk), patience).toContain('user: At ten.');
  await caller.say('Please hurry.');
  booking.resolve();
  await expect.poll(() => transcriptOf(server.desk), patience).toContain('agent: It was booked.');
  caller.stop();
  const report = await server.desk.reported;
  expect(report.booking?.calendarEventId).toBe('cal_test');
  expect(server.desk.journal.filter((asked) => asked.startsWith('book'))).toHaveLength(1);
});

test('what the desk cannot take now does not stop the call', async () => {
  await using flite = createFlite();
  const speech = { tts: flite, stt: createSubtitlesRecogniser() };
  await using server = await openTestGateway({ gateway: { speech, brain: createScriptBrain() } });
  server.desk.keepTurn = () => Promise.reject(new Error('the database is away'));
  server.desk.keepAlive = () => Promise.reject(new Error('the database is away'));
  await using caller = await server.call();
  caller.start();
  await caller.say('Hello?');
  await expect.poll(() => caller.received, patience).toContain('mark');
  caller.stop();
  expect(await server.desk.reported).toMatchObject({ answeredBy: 'person' });
});
