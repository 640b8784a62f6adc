// A carrier that times out, fails, repeats itself or talks out of order: no second ring, no lost order.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { startLiveSystem, type LiveSystem } from '../support/live-system.ts';
import type { TestWorkspace } from '../support/factories.ts';
import { openReceiver } from '../support/receiver.ts';

let live: LiveSystem;
let workspace: TestWorkspace;
let ringsBefore = 0;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  live = await startLiveSystem({ firstPort: 18_200 });
});
afterAll(async () => {
  await live.stop();
});
beforeEach(async () => {
  workspace = await live.workspace();
  ringsBefore = await live.ringsOf(notInterested);
  receiver = await openReceiver();
  return async () => {
    await live.fault({ to: notInterested });
    await receiver.close();
  };
});

const notInterested = '+12125550103';

const until = (read: () => Promise<unknown>, timeoutMs = 60_000) =>
  expect.poll(read, { timeout: timeoutMs, interval: 100 });

const newRings = async () => (await live.ringsOf(notInterested)) - ringsBefore;

async function place(phone: string, change: Record<string, unknown> = {}) {
  const order = await live.order(workspace, phone, { webhook_url: receiver.url, ...change });
  return { ...order, read: () => live.read(workspace, order.id) };
}

async function expectOneCharge(cents: number) {
  const wallet = await readWallet(live.ctx, workspace.id);
  expect(wallet).toMatchObject({
    heldMicros: 0,
    balanceMicros: 100_000_000 - cents * 10_000,
    ledgerMicros: 100_000_000 - cents * 10_000,
  });
}

describe('F34: the request to place a call times out although the call was placed', () => {
  it('the call is not placed again, and its outcome is kept', async () => {
    await live.fault({ to: notInterested, request: { kind: 'answers_late', afterMs: 30_000 } });
    const order = await place(notInterested);
    await until(async () => (await order.read()).status).toBe('DISQUALIFIED');
    await live.passTime(120);
    expect(await newRings()).toBe(1);
    await expectOneCharge(15);
  });
});

describe('F36: the carrier answers 500', () => {
  it('after it placed the call: the call is found and goes on', async () => {
    await live.fault({ to: notInterested, request: { kind: 'fails_after_placing' } });
    const order = await place(notInterested);
    await until(async () => (await order.read()).status).toBe('DISQUALIFIED');
    expect(await newRings()).toBe(1);
    await expectOneCharge(15);
  });

  it('without placing it: the order is dialled later and the attempt is not counted', async () => {
    await live.fault({ to: notInterested, request: { kind: 'fails_before_placing' } });
    const order = await place(notInterested);
    await until(
      async () =>
        (
          await live.ctx.db`
      select 1 from attempts where workspace_id = ${workspace.id} and state = 'unknown'`
        ).length,
    ).toBe(1);
    expect(await newRings()).toBe(0);
    await live.passTime(70);
    await until(async () => (await order.read()).status).toBe('QUEUED');
    await live.passTime(70);
    await until(async () => (await order.read()).status).toBe('DISQUALIFIED');
    expect((await order.read()).attempt_number).toBe(1);
    expect(await newRings()).toBe(1);
  });
});

describe('F37: the carrier refuses for too many requests', () => {
  it('the order waits and is dialled later, uncounted', async () => {
    await live.fault({ to: notInterested, request: { kind: 'too_many_requests' } });
    const order = await place(notInterested);
    await until(
      async () =>
        (
          await live.ctx.db`
      select 1 from attempts where workspace_id = ${workspace.id} and state = 'not_placed'`
        ).length,
    ).toBe(1);
    expect(await order.read()).toMatchObject({ status: 'QUEUED', attempt_number: 0 });
    await live.passTime(70);
    await until(async () => (await order.read()).status).toBe('DISQUALIFIED');
    expect((await order.read()).attempt_number).toBe(1);
  });
});

describe('F38: a callback comes before the answer to our own request', () => {
  it('is applied to the attempt that its address names', async () => {
    await live.fault({ to: notInterested, callbacks: { firstBeforeAnswer: true } });
    const order = await place(notInterested);
    await until(async () => (await order.read()).status).toBe('DISQUALIFIED');
    expect(await newRings()).toBe(1);
  });
});

describe('F39: every callback comes ten times at once', () => {
  it('one effect, one charge, one event', async () => {
    await live.fault({ to: notInterested, callbacks: { copies: 10 } });
    const order = await place(notInterested);
    await until(async () => (await order.read()).status).toBe('DISQUALIFIED');
    await receiver.count(1);
    await live.passTime(120);
    await live.fault({ to: notInterested });
    expect(receiver.received.map(({ event }) => event.event)).toEqual(['order.completed']);
    await expectOneCharge(15);
  });
});

describe('F40: callbacks come in reverse: ended, answered, ringing', () => {
  it('the order ends once, with the right talk time', async () => {
    await live.fault({ to: notInterested, callbacks: { send: 'reversed' } });
    const order = await place(notInterested);
    await until(async () => (await order.read()).status).toBe('DISQUALIFIED');
    await live.passTime(10);
    const body = await order.read();
    expect(body.attempts).toHaveLength(1);
    expect(body['duration_seconds']).toBeGreaterThan(5);
    await expectOneCharge(15);
  });
});

describe('F41: callbacks never come', () => {
  it('a talk is reported by the gateway all the same', async () => {
    await live.fault({ to: notInterested, callbacks: { send: 'never' } });
    const order = await place(notInterested);
    await until(async () => (await order.read()).status).toBe('DISQUALIFIED');
    await expectOneCharge(15);
  });

  it('a busy line is found by asking the carrier, and the hold is freed', async () => {
    const busy = '+12125550109';
    await live.fault({ to: busy, callbacks: { send: 'never' } });
    const order = await place(busy, { cadence: { max_attempts: 1 } });
    await until(async () => (await order.read()).status).toBe('DIALING');
    await live.passTime(70);
    await until(async () => (await order.read()).status).toBe('FAILED');
    await live.fault({ to: busy });
    expect(await order.read()).toMatchObject({
      reason: 'no_answer',
      attempts: [{ outcome: 'busy' }],
    });
    await expectOneCharge(0);
  });
});
