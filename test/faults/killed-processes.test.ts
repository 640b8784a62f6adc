// Real processes killed at the worst moments. Nothing is lost, nothing happens twice.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { findUnbalancedTransfers } from '../../domain/billing/wallet-queries.ts';
import { startLiveSystem, type LiveSystem } from '../support/live-system.ts';
import { openReceiver } from '../support/receiver.ts';
import { lockIdempotencyKey, lockRow } from '../support/lock-row.ts';

let live: LiveSystem;

beforeAll(async () => {
  live = await startLiveSystem({ firstPort: 18_100 });
});
afterAll(async () => {
  await live.stop();
});
afterEach(() => live.proxy.release());

/** The quickest of the sandbox's people who talks. */
const notInterested = '+12125550103';

const until = (read: () => Promise<unknown>, timeoutMs = 60_000) =>
  expect.poll(read, { timeout: timeoutMs, interval: 100 });

async function attemptsOf(workspaceId: string) {
  return live.ctx.db<{ id: string; state: string; carrierCallId: string | null }[]>`
    select id, state, carrier_call_id from attempts
    where workspace_id = ${workspaceId} order by created_at`;
}

async function expectMoneyIsWhole(workspaceId: string) {
  const wallet = await readWallet(live.ctx, workspaceId);
  expect(wallet.balanceMicros).toBe(wallet.ledgerMicros);
  expect(wallet.heldMicros).toBe(wallet.openHoldsMicros);
  expect(await findUnbalancedTransfers(live.ctx.db)).toEqual([]);
  return wallet;
}

describe('F01: the server is killed after the commit and before its answer', () => {
  it('the retry with the same Idempotency-Key finds the one order', async () => {
    const workspace = await live.workspace();
    // Somebody else holds the key, uncommitted, until replies are held back: then the insert commits unheard.
    const rival = await lockIdempotencyKey(live.ctx.db, workspace, 'lead-1');
    const lost = live
      .order(workspace, '+12125550108', { idempotencyKey: 'lead-1' })
      .catch(() => null);
    await until(() => rival.waiters()).toBe(1);
    live.proxy.holdReplies();
    await rival.release();
    const count = async () =>
      (
        await live.ctx
          .db`select 1 from orders where workspace_id = ${workspace.id} and idempotency_key = 'lead-1'`
      ).length;
    await until(count).toBe(1);
    live.kill('server');
    live.proxy.release();
    expect(await lost).toBeNull();
    await until(
      async () =>
        (
          await live
            .order(workspace, '+12125550108', { idempotencyKey: 'lead-1' })
            .catch(() => null)
        )?.status,
    ).toBe(202);
    expect(await count()).toBe(1);
  });
});

describe('F03: a worker is killed before the dial is committed', () => {
  it('the order is dialled by the next one, once', async () => {
    const workspace = await live.workspace();
    const lock = await lockRow(live.ctx.db, 'wallets', workspace.id);
    const before = await live.ringsOf(notInterested);
    const order = await live.order(workspace, notInterested);
    await until(() => lock.waiters()).toBeGreaterThan(0);
    live.kill('jobs');
    await lock.terminateWaiters();
    await lock.release();
    await until(async () => (await attemptsOf(workspace.id)).length).toBe(0);
    await live.passTime(70);
    await until(async () => (await live.read(workspace, order.id)).status).toBe('DISQUALIFIED');
    expect(await live.ringsOf(notInterested)).toBe(before + 1);
    await expectMoneyIsWhole(workspace.id);
  });
});

describe('F04: a worker is killed after the dial is committed and before the carrier is asked', () => {
  it('nothing rang, the hold is freed, and the order is dialled again', async () => {
    const workspace = await live.workspace();
    await live.fault({ to: notInterested, request: { kind: 'never_places' } });
    const before = await live.ringsOf(notInterested);
    const order = await live.order(workspace, notInterested);
    // Only once the request is out is the worker killed: else the fault would wait for the next dial.
    await until(() => live.faultsHappened(notInterested)).toBe(1);
    expect(await attemptsOf(workspace.id)).toMatchObject([{ state: 'intent' }]);
    live.kill('jobs');
    expect(await live.ringsOf(notInterested)).toBe(before);
    await live.passTime(70);
    await until(async () => (await attemptsOf(workspace.id)).at(0)?.state).toBe('not_placed');
    expect((await expectMoneyIsWhole(workspace.id)).heldMicros).toBe(0);
    await live.passTime(70);
    await until(async () => (await live.read(workspace, order.id)).status).toBe('DISQUALIFIED');
    expect(await live.ringsOf(notInterested)).toBe(before + 1);
    expect((await live.read(workspace, order.id)).attempt_number).toBe(1);
  });
});

describe('F05: a worker is killed after the carrier took the call and before its id was kept', () => {
  it('the one call goes on: its callbacks and its socket name the attempt', async () => {
    const workspace = await live.workspace();
    await live.fault({ to: notInterested, request: { kind: 'answers_late', afterMs: 60_000 } });
    const before = await live.ringsOf(notInterested);
    const order = await live.order(workspace, notInterested);
    await until(async () => await live.ringsOf(notInterested)).toBe(before + 1);
    live.kill('jobs');
    await until(async () => (await live.read(workspace, order.id)).status).toBe('DISQUALIFIED');
    await live.passTime(120);
    expect(await live.ringsOf(notInterested)).toBe(before + 1);
    expect(await attemptsOf(workspace.id)).toMatchObject([
      { state: 'ended', carrierCallId: expect.stringMatching(/^CA/) },
    ]);
    await expectMoneyIsWhole(workspace.id);
  });
});

describe('F06: the gateway is killed between the end of a call and its settlement', () => {
  it('the books are closed once, by the watchdog', async () => {
    const workspace = await live.workspace();
    const order = await live.order(workspace, notInterested);
    await until(async () => (await live.read(workspace, order.id)).status).toBe('IN_PROGRESS');
    const lock = await lockRow(live.ctx.db, 'wallets', workspace.id);
    await until(() => lock.waiters()).toBeGreaterThan(0);
    live.kill('voice-gateway');
    await lock.terminateWaiters();
    await lock.release();
    await live.passTime(70);
    await until(async () => (await live.read(workspace, order.id)).final).toBe(true);
    const body = await live.read(workspace, order.id);
    expect(body.charged_cents).toBe(15);
    expect(await expectMoneyIsWhole(workspace.id)).toMatchObject({
      heldMicros: 0,
      balanceMicros: 99_850_000,
    });
  });
});

describe('F07: a worker is killed by the very receiver it delivers to', () => {
  it('the event comes again, with the same id and the same bytes', async () => {
    const workspace = await live.workspace();
    const receiver = await openReceiver((count) => {
      if (count === 1) live.kill('jobs');
      return 204;
    });
    await live.order(workspace, '+12125550109', {
      cadence: { max_attempts: 1 },
      webhook_url: receiver.url,
    });
    await receiver.count(1);
    await live.passTime(70);
    await receiver.count(2);
    const [first, second] = receiver.received;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery']);
    await until(
      async () =>
        (
          await live.ctx
            .db`select 1 from deliveries where workspace_id = ${workspace.id} and state = 'delivered'`
        ).length,
    ).toBe(1);
    await receiver.close();
  });
});

describe('a gateway is killed in the middle of a talk', () => {
  it('the order ends, charged to the last heard word and not beyond', async () => {
    const workspace = await live.workspace();
    const order = await live.order(workspace, notInterested);
    await until(
      async () => (await live.read(workspace, order.id)).transcript.length,
    ).toBeGreaterThan(2);
    live.kill('voice-gateway');
    await until(
      async () =>
        (await live.read(workspace, order.id)).final ||
        (await live.read(workspace, order.id)).status === 'RETRY_SCHEDULED',
    ).toBe(true);
    const body = await live.read(workspace, order.id);
    expect(body.reason).toBe('call_failed');
    expect(body.charged_cents).toBe(15);
    expect((await expectMoneyIsWhole(workspace.id)).heldMicros).toBe(0);
  });
});

describe('F70: the tables of the queue are emptied', () => {
  it('what is due is found again, because the tables of the product say so', async () => {
    const workspace = await live.workspace();
    const lock = await lockRow(live.ctx.db, 'wallets', workspace.id);
    const order = await live.order(workspace, notInterested);
    await until(() => lock.waiters()).toBeGreaterThan(0);
    live.kill('jobs');
    await lock.terminateWaiters();
    await live.ctx.db`truncate graphile_worker._private_jobs`;
    await lock.release();
    // No hint is left: only the pump of the next minute can find it.
    await live.passTime(70, { hint: false });
    await until(async () => (await live.read(workspace, order.id)).final, 100_000).toBe(true);
    await expectMoneyIsWhole(workspace.id);
  });
});
