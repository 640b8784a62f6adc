// Rent of caller numbers: each month once, whoever charges it and when, and never more than there is.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { adjustWallet } from '../../domain/billing/adjust-wallet.ts';
import { chargeRents } from '../../domain/billing/charge-rents.ts';
import { depositCredit } from '../../domain/billing/deposit-credit.ts';
import { proveWallets } from '../../domain/billing/prove-wallets.ts';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { readMe } from '../../domain/workspaces/read-me.ts';
import type { Context } from '../../domain/context.ts';
import { turnableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createNotebookCarrier } from '../support/notebook-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import { insertWaitingOrders } from '../support/waiting-orders.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const rentMicros = 3_000_000;
const notebook = createNotebookCarrier();

let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({
    clock: turnableClock(new Date('2026-01-01T00:00:00Z')),
    carrier: notebook.carrier,
  });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(at('2026-01-31T10:00:00Z'), { balanceMicros: 0 });
  await system.ctx.db`delete from caller_numbers where workspace_id = ${workspace.id}`;
});

/** The same system at a moment of its own. */
function at(time: string | Date): Context {
  return { ...system.ctx, clock: turnableClock(new Date(time)) };
}

let numbers = 0;

async function addNumber(madeAt: string): Promise<string> {
  const id = newId('num', new Date(madeAt));
  const phone = `+1212555${1_000 + numbers++}`;
  await system.ctx.db`
    insert into caller_numbers (workspace_id, id, phone, created_at)
    values (${workspace.id}, ${id}, ${phone}, ${madeAt})`;
  return id;
}

function deposit(ctx: Context, amountCents: number) {
  const by = { note: 'credit', madeBy: 'ops' };
  return depositCredit(ctx, { workspaceId: workspace.id, amountCents, ...by });
}

/** Months that were paid, as number and month. */
async function rents(): Promise<string[]> {
  const rows = await system.ctx.db<{ key: string }[]>`
    select idempotency_key as key from ledger_transfers
    where workspace_id = ${workspace.id} and kind = 'rent' order by idempotency_key`;
  return rows.map(({ key }) => key);
}

async function numberState(id: string) {
  const [number] = await system.ctx.db<
    { active: boolean; due: Date; unpaid: Date | null; overdue: boolean; paused: boolean }[]
  >`
    select active, rent_due_at as due, rent_unpaid_since as unpaid, rent_overdue as overdue, paused
    from caller_numbers join wallets using (workspace_id)
    where workspace_id = ${workspace.id} and id = ${id}`;
  return number;
}

const balance = async () => (await readWallet(system.ctx, workspace.id)).balanceMicros;

async function expectProven() {
  expect(await proveWallets(system.ctx, workspace.id)).toEqual({ wallets: 1, broken: [] });
}

it('is charged once a month on the day of the number, the shorter months on their last', async () => {
  const number = await addNumber('2026-01-31T10:00:00Z');
  await deposit(at('2026-01-31T10:00:00Z'), 5_000);
  const charged: string[] = [];
  for (let day = 0; day < 120; day++) {
    const now = new Date(Date.parse('2026-01-31T10:00:00Z') + day * dayMs);
    const before = await balance();
    await chargeRents(at(now));
    if ((await balance()) !== before) charged.push(now.toISOString().slice(0, 10));
  }
  expect(charged).toEqual(['2026-02-28', '2026-03-31', '2026-04-30']);
  expect(await rents()).toEqual(
    ['2026-01', '2026-02', '2026-03', '2026-04'].map((month) => `rent:${number}:${month}`),
  );
  expect(await balance()).toBe(50_000_000 - 4 * rentMicros);
  await expectProven();
});

it('is charged once when many workers race for it', async () => {
  const numbers = [
    await addNumber('2026-03-05T00:00:00Z'),
    await addNumber('2026-03-07T00:00:00Z'),
  ];
  await deposit(at('2026-03-01T00:00:00Z'), 5_000);
  await Promise.all(Array.from({ length: 8 }, () => chargeRents(at('2026-03-10T00:00:00Z'))));
  expect(await rents()).toEqual(numbers.map((id) => `rent:${id}:2026-03`).toSorted());
  expect(await balance()).toBe(50_000_000 - 2 * rentMicros);
  await expectProven();
});

it('makes up for the months in which no process ran, each once', async () => {
  const number = await addNumber('2026-01-15T00:00:00Z');
  await deposit(at('2026-01-14T00:00:00Z'), 5_000);
  const back = at('2026-04-20T00:00:00Z');
  await Promise.all([chargeRents(back), chargeRents(back)]);
  expect(await rents()).toEqual(
    ['2026-01', '2026-02', '2026-03', '2026-04'].map((month) => `rent:${number}:${month}`),
  );
  expect((await numberState(number))?.due).toEqual(new Date('2026-05-15T00:00:00Z'));
});

it('is not asked of a number that is switched off', async () => {
  const number = await addNumber('2026-01-15T00:00:00Z');
  await deposit(at('2026-01-14T00:00:00Z'), 5_000);
  await system.ctx.db`update caller_numbers set active = false where id = ${number}`;
  await chargeRents(at('2026-04-20T00:00:00Z'));
  expect(await rents()).toEqual([]);
});

it('that the wallet cannot pay takes nothing, and calls go on for the grace', async () => {
  const number = await addNumber('2026-01-15T00:00:00Z');
  await deposit(at('2026-01-14T00:00:00Z'), 5_000);
  await adjustWallet(at('2026-01-14T00:00:00Z'), {
    workspaceId: workspace.id,
    amountCents: -4_701,
    note: 'test',
    madeBy: 'ops',
  });
  await chargeRents(at('2026-01-15T00:00:00Z'));
  await chargeRents(at('2026-01-21T23:00:00Z'));
  expect(await balance()).toBe(2_990_000);
  expect(await rents()).toEqual([]);
  expect(await numberState(number)).toMatchObject({
    active: true,
    unpaid: new Date('2026-01-15T00:00:00Z'),
    overdue: false,
    paused: false,
  });
});

it('never takes what is held for a call', async () => {
  const number = await addNumber('2026-01-15T00:00:00Z');
  await deposit(at('2026-01-14T00:00:00Z'), 5_000);
  const { db } = system.ctx;
  await db`update wallets set held_micros = 47000001 where workspace_id = ${workspace.id}`;
  await chargeRents(at('2026-01-16T00:00:00Z'));
  expect(await rents()).toEqual([]);
  await db`update wallets set held_micros = 47000000 where workspace_id = ${workspace.id}`;
  await chargeRents(at('2026-01-16T01:00:00Z'));
  expect(await rents()).toEqual([`rent:${number}:2026-01`]);
  expect(await numberState(number)).toMatchObject({ unpaid: null });
});

it('unpaid for the whole grace makes orders wait; a deposit pays it and they dial at once', async () => {
  const number = await addNumber('2026-01-15T15:00:00Z');
  await chargeRents(at('2026-01-15T15:00:00Z'));
  await chargeRents(at('2026-01-22T15:00:00Z'));
  expect(await numberState(number)).toMatchObject({ active: true, overdue: true, paused: true });
  // This is how the workspace learns of it, beside the reason of its waiting orders.
  const [key] = await system.ctx.db<{ keyId: string }[]>`
    select id as key_id from api_keys where workspace_id = ${workspace.id} and mode = 'live'`;
  const identity = { keyId: key?.keyId ?? '', workspaceId: workspace.id, mode: 'live' } as const;
  expect(await readMe(system.ctx, identity)).toMatchObject({
    wallet: { unpaid_rent_cents: 300 },
    blocked_reason: 'insufficient_balance',
  });

  const later = at('2026-03-10T15:00:00Z');
  const [orderId = ''] = await insertWaitingOrders(later, workspace, 1);
  const drainAt = async (ctx: Context) => {
    const now = ctx.clock.now().getTime() - system.ctx.clock.now().getTime();
    await (system.ctx.clock as ReturnType<typeof turnableClock>).turn(Math.max(0, now));
    await system.drain();
  };
  await drainAt(later);
  const orderOf = async () => {
    const [order] = await system.ctx.db`
      select status, reason from orders where workspace_id = ${workspace.id} and id = ${orderId}`;
    return order;
  };
  expect(await orderOf()).toEqual({ status: 'QUEUED', reason: 'waiting_for_balance' });

  await deposit(later, 5_000);
  // The months in which nothing could be called are not owed: the number's months begin anew.
  expect(await rents()).toEqual([`rent:${number}:2026-03`]);
  expect(await numberState(number)).toEqual({
    active: true,
    due: new Date('2026-04-10T15:00:00Z'),
    unpaid: null,
    overdue: false,
    paused: false,
  });
  await drainAt(later);
  expect(await orderOf()).toEqual({ status: 'DIALING', reason: null });
  await expectProven();
});

it('paid for one of two overdue numbers leaves calling paused until the other is gone', async () => {
  const kept = await addNumber('2026-01-15T00:00:00Z');
  // Charged after the first: ids sort by the moment at which they were made.
  const other = await addNumber('2026-01-15T00:00:01Z');
  await deposit(at('2026-01-14T00:00:00Z'), 5_000);
  const take = { workspaceId: workspace.id, note: 'test', madeBy: 'ops' };
  await adjustWallet(at('2026-01-14T00:00:00Z'), { ...take, amountCents: -5_000 });
  await chargeRents(at('2026-01-15T00:00:01Z'));
  await chargeRents(at('2026-01-22T00:00:01Z'));
  await deposit(at('2026-01-23T00:00:00Z'), 400);
  expect(await rents()).toEqual([`rent:${kept}:2026-01`]);
  expect(await numberState(kept)).toMatchObject({ overdue: false, paused: true });
  await system.ctx.db`update caller_numbers set active = false where id = ${other}`;
  await chargeRents(at('2026-01-23T01:00:00Z'));
  expect(await numberState(kept)).toMatchObject({ paused: false });
  await expectProven();
});

it('never lifts the pause of an operator', async () => {
  const number = await addNumber('2026-01-15T00:00:00Z');
  await chargeRents(at('2026-01-15T00:00:00Z'));
  await system.ctx.db`update wallets set paused = true, paused_by = 'operator'
    where workspace_id = ${workspace.id}`;
  await chargeRents(at('2026-01-22T00:00:00Z'));
  await deposit(at('2026-01-23T00:00:00Z'), 5_000);
  expect(await numberState(number)).toMatchObject({ overdue: false, paused: true });
});
