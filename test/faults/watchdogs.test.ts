// No status needs anybody's word to end: every process, callback and hint is lost, and only time passes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimDue } from '../../domain/orders/claim-due.ts';
import { turnableClock } from '../../platform/clock.ts';
import { answerCall, endTalk, placeOrder, say, type CallScene } from '../support/answered-call.ts';
import { createWorkspace } from '../support/factories.ts';
import { expectAllOver } from '../support/order-audit.ts';
import { letTimePassUntil, lookOnce } from '../support/quiet-time.ts';
import { createScriptedCarrier, type Placing } from '../support/scripted-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let system: TestContext;
let scene: CallScene;

beforeAll(async () => {
  system = await createTestContext({ clock });
});
afterAll(() => system.close());
beforeEach(async () => {
  const network = createScriptedCarrier(clock);
  const ctx = { ...system.ctx, carrier: network.carrier };
  scene = { system: { ...system, ctx }, clock, network, workspace: await createWorkspace(ctx) };
});

type Placed = Awaited<ReturnType<typeof placeOrder>>;
const cadence = (attempts: number) => ({
  cadence: { max_attempts: attempts, retry_interval_minutes: 5, send_sms_on_voicemail: true },
});

const statusOf = async (order: Placed) => (await order.read()).status;

/** It ends, in this way, and nothing is left behind. */
async function expectEnd(order: Placed, end: Record<string, unknown>) {
  await letTimePassUntil(scene, async () => (await order.read()).final);
  expect(await order.read()).toMatchObject({ final: true, ...end });
  await expectAllOver(scene.system.ctx, scene.workspace.id);
  expect(scene.network.violations).toEqual([]);
}

/** Claimed by a worker that is never heard of again. */
async function loseWorker() {
  await claimDue(scene.system.ctx);
}

describe('QUEUED', () => {
  it('is found by the next look, although its worker died with it', async () => {
    const order = await placeOrder(scene, cadence(1));
    await loseWorker();
    expect(await statusOf(order)).toBe('QUEUED');
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer' });
    expect(scene.network.calls).toHaveLength(1);
  });
});

describe('RETRY_SCHEDULED', () => {
  it('is dialled when its interval is over, although its worker died with it', async () => {
    const order = await placeOrder(scene, cadence(2));
    await letTimePassUntil(scene, async () => (await statusOf(order)) === 'RETRY_SCHEDULED');
    await clock.turn(300_000);
    await loseWorker();
    await expectEnd(order, { status: 'FAILED', attempt_number: 2 });
    expect(scene.network.calls).toHaveLength(2);
  });
});

describe('VOICEMAIL_SMS_SENT', () => {
  it('with attempts left becomes RETRY_SCHEDULED when its interval is over', async () => {
    const order = await placeOrder(scene, cadence(2));
    await lookOnce(scene);
    await endTalk(scene, await answerCall(scene), 'machine');
    expect(await order.read()).toMatchObject({ status: 'VOICEMAIL_SMS_SENT', final: false });
    await clock.turn(300_000);
    await loseWorker();
    await letTimePassUntil(scene, async () => (await statusOf(order)) === 'RETRY_SCHEDULED');
    await expectEnd(order, { status: 'FAILED', attempt_number: 2 });
  });
});

describe('DIALING', () => {
  it.each<[string, Placing, number]>([
    ['the worker died before it asked the carrier', 'crash_before', 2],
    ['the worker died after it asked the carrier', 'crash_after', 1],
    ['the carrier rang and its answer was lost', 'answer_lost', 1],
    ['the carrier never got the request', 'request_lost', 2],
  ])('ends when %s, and no phone rings twice for one attempt', async (_title, placing, asked) => {
    scene.network.plan.placing.push(placing);
    const order = await placeOrder(scene, cadence(1));
    await lookOnce(scene).catch(() => {});
    expect(await statusOf(order)).toBe('DIALING');
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer', attempt_number: 1 });
    expect(scene.network.calls).toHaveLength(1);
    const attempts = await system.ctx.db`
      select state from attempts where order_id = ${order.id}`;
    expect(attempts).toHaveLength(asked);
  });

  it('ends when it was picked up and no media ever came', async () => {
    const order = await placeOrder(scene, cadence(1));
    await lookOnce(scene);
    const call = scene.network.pickUp();
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer' });
    expect(call?.states.at(-1)).toBe('completed');
  });

  it('ends when the carrier cannot be asked either, once its own limit ended any call', async () => {
    const order = await placeOrder(scene, cadence(1));
    await lookOnce(scene);
    scene.network.plan.unreachable = true;
    await clock.turn(60_000);
    await lookOnce(scene);
    expect(await statusOf(order)).toBe('DIALING');
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer' });
  });
});

describe('IN_PROGRESS', () => {
  it('ends when its gateway is silent: hung up, charged to the last heard word', async () => {
    const order = await placeOrder(scene, cadence(1));
    await lookOnce(scene);
    const { call, brief } = await answerCall(scene);
    await say(scene, brief, ['Yes.']);
    expect(await statusOf(order)).toBe('IN_PROGRESS');
    await clock.turn(600_000);
    await expectEnd(order, { status: 'FAILED', reason: 'call_failed', charged_cents: 0 });
    expect(call.states.at(-1)).toBe('completed');
  });

  it('goes on while its gateway shows life, however long the watchdog was kept from looking', async () => {
    const order = await placeOrder(scene, cadence(1));
    await lookOnce(scene);
    const { call, brief } = await answerCall(scene);
    await say(scene, brief, ['Yes.']);
    await clock.turn(50_000);
    const { carrier } = scene.network;
    const findCall = carrier.findCall.bind(carrier);
    // The sign of life comes while the carrier is being asked.
    carrier.findCall = async (query) => {
      await say(scene, brief, ['Yes.', 'Go on.']);
      return findCall(query);
    };
    await lookOnce(scene);
    expect(call.states.at(-1)).toBe('in_progress');
    expect(await statusOf(order)).toBe('IN_PROGRESS');
  });
});
