// Orders that wait for money or for a plan go on as soon as it is back.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adjustWallet } from '../../domain/billing/adjust-wallet.ts';
import { depositCredit } from '../../domain/billing/deposit-credit.ts';
import { pauseWallet, resumeWallet } from '../../domain/billing/pause-wallet.ts';
import { proveWallets } from '../../domain/billing/prove-wallets.ts';
import { setPlan } from '../../domain/billing/set-plan.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { readOrder } from '../../domain/orders/read-order.ts';
import { createNotebookCarrier } from '../support/notebook-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import { insertWaitingOrders } from '../support/waiting-orders.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const notebook = createNotebookCarrier();
const hints: Date[] = [];

let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({
    clock,
    carrier: notebook.carrier,
    wakeJobs: (dueAt) => void hints.push(dueAt),
  });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx, { balanceMicros: 0 });
});

const by = { note: 'credit', madeBy: 'ops' };

function deposit(amountCents: number) {
  return depositCredit(system.ctx, { workspaceId: workspace.id, amountCents, ...by });
}

/** An order that came to its dial time and has to wait. */
async function wait() {
  const ids = await insertWaitingOrders(system.ctx, workspace, 1);
  await system.drain();
  return ids;
}

const orderOf = async (orderId: string) => {
  const key = { keyId: 'key_test', workspaceId: workspace.id, mode: 'live' } as const;
  return readOrder(system.ctx, key, orderId);
};
const callsHere = () => notebook.calls.filter((call) => call.workspaceId === workspace.id);
const dueNow = async () => {
  const [row] = await system.ctx.db<{ due: number }[]>`
    select count(*)::int as due from orders
    where workspace_id = ${workspace.id} and next_dial_at <= ${clock.now()}`;
  return row?.due;
};

it('what waits for money dials at once when a deposit comes', async () => {
  const [orderId = ''] = await wait();
  expect(await orderOf(orderId)).toMatchObject({ reason: 'waiting_for_balance' });
  hints.length = 0;
  await deposit(5_000);
  expect(hints).toContainEqual(clock.now());
  await system.drain();
  expect(callsHere()).toHaveLength(1);
  expect(await orderOf(orderId)).toMatchObject({ status: 'DIALING', reason: null });
  expect(await proveWallets(system.ctx, workspace.id)).toEqual({ wallets: 1, broken: [] });
});

it('what waits for money dials when an adjustment brings it', async () => {
  await wait();
  const change = { workspaceId: workspace.id, amountCents: 100, ...by };
  await adjustWallet(system.ctx, change);
  await system.drain();
  expect(callsHere()).toHaveLength(1);
});

it.each(['inactive', 'past_due'] as const)('what waits for a plan that is %s', async (status) => {
  await deposit(5_000);
  await setPlan(system.ctx, { workspaceId: workspace.id, status });
  const [orderId = ''] = await wait();
  expect(await orderOf(orderId)).toMatchObject({ reason: `plan_${status}` });
  // Money is not what it waits for.
  await deposit(100);
  expect(await dueNow()).toBe(0);
  hints.length = 0;
  expect(await setPlan(system.ctx, { workspaceId: workspace.id, status: 'active' })).toBe(status);
  expect(hints).toContainEqual(clock.now());
  await system.drain();
  expect(callsHere()).toHaveLength(1);
});

it('what waits because calling is paused dials when it is resumed, not by a deposit', async () => {
  await deposit(5_000);
  await pauseWallet(system.ctx, workspace.id);
  await wait();
  await deposit(100);
  await system.drain();
  expect(callsHere()).toHaveLength(0);
  await resumeWallet(system.ctx, workspace.id);
  await system.drain();
  expect(callsHere()).toHaveLength(1);
});

it('one of thousands is woken in small parts, past one that is locked', async () => {
  const { db } = system.ctx;
  const [locked = ''] = await insertWaitingOrders(system.ctx, workspace, 1_200);
  await db`
    update orders set reason = 'waiting_for_balance', next_dial_at = next_dial_at + interval '1 minute'
    where workspace_id = ${workspace.id}`;
  const connection = await db.reserve();
  await connection`begin`;
  await connection`select 1 from orders where id = ${locked} for update`;
  await deposit(5_000);
  expect(await dueNow()).toBe(1_199);
  await connection`rollback`;
  connection.release();
  await db`update orders set next_dial_at = next_dial_at + interval '1 year'
    where workspace_id = ${workspace.id}`;
});
