// Billing through the real processes: the jobs charge and prove, and money wakes an order by itself.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { depositCredit } from '../../domain/billing/deposit-credit.ts';
import { proveWallets } from '../../domain/billing/prove-wallets.ts';
import { createWorkspace } from '../support/factories.ts';
import { startLiveSystem, type LiveSystem } from '../support/live-system.ts';
import { insertWaitingOrders } from '../support/waiting-orders.ts';

let live: LiveSystem;

beforeAll(async () => {
  live = await startLiveSystem({ firstPort: 18_700 });
}, 60_000);
afterAll(() => live.stop());

it('an order that waits for money is dialled when the deposit comes, before it would look', async () => {
  const { ctx } = live;
  const workspace = await createWorkspace(ctx, { balanceMicros: 0 });
  const [orderId = ''] = await insertWaitingOrders(ctx, workspace, 1);
  ctx.wakeJobs(ctx.clock.now());
  const orderOf = async () => {
    const [order] = await ctx.db<{ status: string; reason: string | null; attempts: number }[]>`
      select status, reason, attempt_number as attempts from orders
      where workspace_id = ${workspace.id} and id = ${orderId}`;
    return order;
  };
  await expect
    .poll(orderOf, { timeout: 60_000, interval: 50 })
    .toMatchObject({ reason: 'waiting_for_balance' });
  // Had it not been woken, it would look again in an hour.
  await ctx.db`
    update orders set next_dial_at = now() + interval '1 hour'
    where workspace_id = ${workspace.id} and id = ${orderId}`;
  const credit = { workspaceId: workspace.id, amountCents: 5_000, note: 'wire', madeBy: 'ops' };
  await depositCredit(ctx, credit);
  await expect
    .poll(orderOf, { timeout: 60_000, interval: 50 })
    .toMatchObject({ reason: null, attempts: 1 });
});

it('the jobs charge the rent, look up deposits and prove the wallets', async () => {
  const { ctx } = live;
  const workspace = await createWorkspace(ctx);
  await ctx.db`
    update caller_numbers set rent_due_at = now() - interval '1 day'
    where workspace_id = ${workspace.id}`;
  for (const task of ['charge_rents', 'look_up_deposits', 'prove_wallets'])
    await ctx.db`select graphile_worker.add_job(${task})`;
  const rents = async () => {
    const [row] = await ctx.db<{ count: number }[]>`
      select count(*)::int from ledger_transfers
      where workspace_id = ${workspace.id} and kind = 'rent'`;
    return row?.count;
  };
  await expect.poll(rents, { timeout: 60_000, interval: 50 }).toBe(1);
  // A task that fails stays in the queue with its error.
  const left = () => ctx.db`
    select task_identifier, last_error from graphile_worker.jobs
    where task_identifier in ('charge_rents', 'look_up_deposits', 'prove_wallets')`;
  await expect.poll(left, { timeout: 60_000, interval: 50 }).toEqual([]);
  expect(await proveWallets(ctx, workspace.id)).toEqual({ wallets: 1, broken: [] });
});
