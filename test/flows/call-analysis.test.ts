// The analysis after a call: adds once, is told once, and loses nothing when the model fails.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChatAnalyst } from '../../adapters/analysts/chat-analyst.ts';
import { analyseCall } from '../../domain/attempts/analyse-call.ts';
import { claimDue } from '../../domain/orders/claim-due.ts';
import { turnableClock } from '../../platform/clock.ts';
import { answerCall, endTalk, placeOrder, say } from '../support/answered-call.ts';
import type { TalkKind } from '../support/talk-reports.ts';
import { openChatServer } from '../support/chat-server.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { openReceiver } from '../support/receiver.ts';
import { createScriptedCarrier } from '../support/scripted-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const network = createScriptedCarrier(clock);
let model: Awaited<ReturnType<typeof openChatServer>>;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  model = await openChatServer();
  const chat = { baseUrl: model.baseUrl, apiKey: 'key', model: 'a-model', requestMs: 1_000 };
  const analyst = createChatAnalyst(chat);
  system = await createTestContext({ clock, carrier: network.carrier, analyst });
});
afterAll(async () => {
  await system.close();
  await model.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
  receiver = await openReceiver();
  return () => receiver.close();
});

/** An order whose one call has just been reported; nothing else is done yet. */
async function talk(kind: TalkKind, words: readonly string[]) {
  const scene = { system, clock, network, workspace };
  const order = await placeOrder(scene, { webhook_url: receiver.url });
  await system.drain();
  const answered = await answerCall(scene);
  await say(scene, answered.brief, words);
  await endTalk(scene, answered, kind);
  return order;
}

const told = () => receiver.received.map(({ event }) => `${event.event} ${event.status}`);
const words = ['Yes, I own it.', 'Twelve years.', 'This month.'];
const everything = {
  answers: [
    { key: 'homeowner', value: true, quote: 'Yes, I own it.' },
    { key: 'roof_age_years', value: 12, quote: 'twelve years' },
    { key: 'start', value: 'this month', quote: 'This month.' },
  ],
  summary: 'The owner of a twelve-year-old roof wants work this month.',
};

describe('a model that finds something', () => {
  it('adds answers, score, verdict and summary; the status stays and one update is sent', async () => {
    model.answer({ kind: 'content', content: everything });
    const order = await talk('undecided', words);
    expect(await order.read()).toMatchObject({ status: 'FAILED', analysis: 'pending' });
    await system.drain();
    const body = await order.read();
    expect(body).toMatchObject({
      status: 'FAILED',
      reason: 'inconclusive',
      analysis: 'complete',
      qualification: {
        qualified: true,
        score: 100,
        extracted_answers: { homeowner: true, roof_age_years: 12, start: 'this month' },
        summary: everything.summary,
      },
    });
    expect(told().toSorted()).toEqual(['order.completed FAILED', 'order.updated FAILED']);
    const update = receiver.received.find(({ event }) => event.event === 'order.updated');
    const { event: _, ...payload } = update?.event ?? { event: '' };
    expect(body).toMatchObject(payload);
  });

  it('keeps what proves it, with the second in which it was said', async () => {
    model.answer({ kind: 'content', content: everything });
    const order = await talk('undecided', words);
    await system.drain();
    const rows = await system.ctx.db`
      select analyst, answers from call_analyses where order_id = ${order.id}`;
    expect(rows).toMatchObject([
      {
        analyst: 'a-model',
        answers: [{ atSecond: 0 }, { quote: 'twelve years', atSecond: 1 }, { atSecond: 2 }],
      },
    ]);
  });

  it('that invents an answer adds none, and nothing is told', async () => {
    const answers = [{ key: 'homeowner', value: true, quote: 'I own three houses.' }];
    model.answer({ kind: 'content', content: { answers, summary: null } });
    const order = await talk('undecided', words);
    await system.drain();
    expect(await order.read()).toMatchObject({
      analysis: 'complete',
      qualification: { qualified: null, extracted_answers: {} },
    });
    expect(told()).toEqual(['order.completed FAILED']);
  });

  it('is asked by two workers at once, and the order is told one update', async () => {
    model.answer({ kind: 'content', content: everything });
    const order = await talk('undecided', words);
    const { tasks } = await claimDue(system.ctx);
    const task = tasks.find((one) => one.task === 'analyse_call' && one.orderId === order.id);
    if (task?.task !== 'analyse_call') throw new Error('The analysis is due.');
    await Promise.all([analyseCall(system.ctx, task), analyseCall(system.ctx, task)]);
    const rows = await system.ctx.db`
      select event from deliveries where order_id = ${order.id} order by event`;
    expect(rows.map(({ event }) => String(event))).toEqual(['order.completed', 'order.updated']);
    // A worker that comes back from a try of long ago changes nothing.
    await system.ctx.db`update orders set analysis = 'pending' where id = ${order.id}`;
    await analyseCall(system.ctx, { ...task, tries: task.tries - 1 });
    expect((await order.read()).analysis).toBe('pending');
    await system.ctx.db`update orders set analysis = 'complete' where id = ${order.id}`;
  });
});

describe('a model that fails', () => {
  it.each([
    ['with an error', { kind: 'status' as const, status: 500 }],
    ['with something else than JSON', { kind: 'text' as const, text: 'I am sorry.' }],
    ['by saying nothing', { kind: 'silence' as const }],
  ])('%s is asked again later', async (_title, failure) => {
    model.answer(failure, { kind: 'content', content: everything });
    const order = await talk('booked', words);
    await system.drain();
    expect(await order.read()).toMatchObject({ status: 'BOOKED', analysis: 'pending' });
    await clock.turn(61_000);
    await system.drain();
    expect(await order.read()).toMatchObject({ status: 'BOOKED', analysis: 'complete' });
    expect(model.requests).toHaveLength(2);
  });

  it('for good leaves the order as the rules found it, without an event', async () => {
    model.answer({ kind: 'status', status: 500 });
    const order = await talk('qualified', words);
    const before = (await order.read()).qualification;
    for (let hour = 0; hour < 4; hour++) {
      await clock.turn(3_600_000);
      await system.drain();
    }
    expect(model.requests).toHaveLength(4);
    expect(await order.read()).toMatchObject({
      status: 'QUALIFIED',
      analysis: 'complete',
      qualification: before,
    });
    expect(told()).toEqual(['order.completed QUALIFIED']);
  });

  it('by killing its worker every time is given up in the end', async () => {
    model.answer({ kind: 'content', content: everything });
    const order = await talk('qualified', words);
    for (let tries = 1; tries <= 4; tries++) {
      await claimDue(system.ctx);
      await clock.turn(3_600_000);
    }
    await system.drain();
    expect(model.requests).toHaveLength(0);
    expect((await order.read()).analysis).toBe('complete');
  });
});

it('a call in which the person said nothing is not read by a model', async () => {
  model.answer({ kind: 'content', content: everything });
  const order = await talk('without_a_word', []);
  await system.drain();
  expect((await order.read()).analysis).not.toBe('pending');
  expect(model.requests).toHaveLength(0);
});
