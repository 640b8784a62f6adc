// Which number a lead is called from, over the database: near, familiar, rested, and never over its daily cap.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dialOrder } from '../../domain/dialling/dial-order.ts';
import { turnableClock } from '../../platform/clock.ts';
import { insertDueOrders } from '../support/due-orders.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createNotebookCarrier } from '../support/notebook-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const notebook = createNotebookCarrier();
/** Every workspace of a test has this one, of New York. */
const newYork = '+12125550199';
const losAngeles = '+12135550199';
const sanDiego = '+16195550199';
const lots = { count: 0 };

let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock, carrier: notebook.carrier });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
  await system.ctx.db`update workspaces set live_call_limit = 1000 where id = ${workspace.id}`;
  notebook.calls.length = 0;
});

async function addNumber(phone: string) {
  await system.ctx.db`
    insert into caller_numbers (workspace_id, id, phone, created_at)
    values (${workspace.id}, ${`num_${phone}`}, ${phone}, ${clock.now()})`;
}

async function change(
  phone: string,
  column: 'daily_dial_cap' | 'resting_until' | 'active' | 'carrier',
  to: unknown,
) {
  const { db } = system.ctx;
  await db`
    update caller_numbers set ${db({ [column]: to } as never)}
    where workspace_id = ${workspace.id} and phone = ${phone}`;
}

function insertLeads(count: number, phone?: string) {
  const idPrefix = `ord_lot${lots.count++}_`;
  const { id: workspaceId, agentId } = workspace;
  return insertDueOrders(system.ctx.db, {
    workspaceId,
    agentId,
    count,
    idPrefix,
    dueAt: clock.now(),
    ...(phone && { phone }),
  });
}

async function dial(ids: readonly string[]) {
  await Promise.all(
    ids.map((orderId) => dialOrder(system.ctx, { workspaceId: workspace.id, orderId })),
  );
}

/** The number that rang this lead. */
async function callerOf(phone: string) {
  const before = notebook.calls.length;
  await dial(await insertLeads(1, phone));
  return notebook.calls.slice(before).map(({ from }) => from)[0];
}

async function orderOf(id: string | undefined) {
  const [order] = await system.ctx.db`
    select status, reason, next_dial_at from orders
    where workspace_id = ${workspace.id} and id = ${id ?? ''}`;
  return order;
}

describe('the number that a lead sees', () => {
  beforeEach(async () => {
    await addNumber(losAngeles);
    await addNumber(sanDiego);
  });

  it.each([
    ['of its area code', '+16195550123', sanDiego],
    ['of its state, when none is of its area code', '+15185550123', newYork],
  ])('is one %s', async (_where, lead, number) => {
    expect(await callerOf(lead)).toBe(number);
  });

  it('is the one that rang it before, even when a nearer one came since', async () => {
    const caller = await callerOf('+13055550123');
    await addNumber('+13055550199');
    await system.ctx.db`
      update attempts set state = 'ended', watch_at = null where workspace_id = ${workspace.id}`;
    expect(await callerOf('+13055550123')).toBe(caller);
  });

  it('is never one of another carrier, however near', async () => {
    await change(sanDiego, 'carrier', 'another');
    expect(await callerOf('+16195550123')).toBe(losAngeles);
    await change(sanDiego, 'carrier', notebook.carrier.name);
    expect(await callerOf('+16195550124')).toBe(sanDiego);
  });

  it('is in turn any of them for a lead from elsewhere', async () => {
    const seen: (string | undefined)[] = [];
    for (const lead of ['+13055550121', '+13055550122', '+13055550123']) {
      seen.push(await callerOf(lead));
      await clock.turn(1_000);
    }
    expect(new Set(seen)).toEqual(new Set([newYork, losAngeles, sanDiego]));
  });
});

describe('a daily cap', () => {
  it('is exact under parallel dials; the others wait until it lets one through', async () => {
    await change(newYork, 'daily_dial_cap', 5);
    const startedAt = clock.now();
    const ids = await insertLeads(30);
    await dial(ids);
    expect(notebook.calls).toHaveLength(5);
    const waiting = await system.ctx.db<{ at: Date }[]>`
      select distinct next_dial_at as at from orders
      where workspace_id = ${workspace.id} and status = 'QUEUED'`;
    expect(waiting).toEqual([{ at: new Date(startedAt.getTime() + 86_400_000) }]);
  });

  it('sends dials to the next number, each up to its own', async () => {
    await addNumber(losAngeles);
    await change(newYork, 'daily_dial_cap', 3);
    await change(losAngeles, 'daily_dial_cap', 4);
    // A dial that meets a number whose cap was just reached decides again.
    const ids = await insertLeads(20);
    for (let round = 0; round < 3; round++) await dial(ids);
    const used = notebook.calls.map(({ from }) => from);
    expect(used.filter((from) => from === newYork)).toHaveLength(3);
    expect(used.filter((from) => from === losAngeles)).toHaveLength(4);
  });

  it('counts 24 hours back, not calendar days', async () => {
    await change(newYork, 'daily_dial_cap', 1);
    await dial(await insertLeads(1, '+13055550121'));
    await clock.turn(86_399_000);
    expect(await callerOf('+13055550122')).toBeUndefined();
    await clock.turn(1_000);
    expect(await callerOf('+13055550123')).toBe(newYork);
  });
});

describe('when none is usable', () => {
  it('because all rest: the order waits for the first to come back', async () => {
    await addNumber(losAngeles);
    const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000);
    await change(newYork, 'resting_until', inMinutes(60));
    await change(losAngeles, 'resting_until', inMinutes(30));
    const [id] = await insertLeads(1);
    await dial([id ?? '']);
    expect(await orderOf(id)).toEqual({
      status: 'QUEUED',
      reason: 'caller_numbers_resting',
      nextDialAt: inMinutes(30),
    });
    await clock.turn(30 * 60_000);
    await dial([id ?? '']);
    expect(notebook.calls).toMatchObject([{ from: losAngeles }]);
  });

  it('because none is active: the order fails with no_caller_id', async () => {
    await change(newYork, 'active', false);
    const [id] = await insertLeads(1);
    await dial([id ?? '']);
    expect(await orderOf(id)).toMatchObject({ status: 'FAILED', reason: 'no_caller_id' });
  });
});

it('with numbers of another carrier only, nobody is called and the order says why', async () => {
  await change(newYork, 'carrier', 'another');
  const [id] = await insertLeads(1);
  await dial([id ?? '']);
  expect(notebook.calls).toEqual([]);
  expect(await orderOf(id)).toMatchObject({ status: 'FAILED', reason: 'no_caller_id' });
});
