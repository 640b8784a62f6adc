// A carrier's calls per second, and its pauses after faults in a row, held by two processes on one database.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlaceCallResult } from '../../domain/calls/carrier.ts';
import type { Context } from '../../domain/context.ts';
import { claimDue } from '../../domain/orders/claim-due.ts';
import { findDialFile } from '../../domain/dialling/dial-file-queries.ts';
import { dialOrder } from '../../domain/dialling/dial-order.ts';
import { startDial } from '../../domain/dialling/start-dial.ts';
import { turnableClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { insertDueOrders } from '../support/due-orders.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createNotebookCarrier } from '../support/notebook-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const notebook = createNotebookCarrier();

let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock, carrier: notebook.carrier });
});
afterAll(() => system.close());
beforeEach(async () => {
  const { db } = system.ctx;
  await db`truncate orders, carrier_accounts cascade`;
  workspace = await createWorkspace(system.ctx);
  await db`update workspaces set live_call_limit = 1000 where id = ${workspace.id}`;
  notebook.calls.length = 0;
  notebook.answer = null;
});

function insertDue(count: number) {
  const { id: workspaceId, agentId } = workspace;
  const dueAt = clock.now();
  return insertDueOrders(system.ctx.db, { workspaceId, agentId, count, dueAt });
}

async function ask(ctx: Context, orderId: string) {
  const now = clock.now();
  const file = await findDialFile(
    ctx.db,
    { workspaceId: workspace.id, orderId },
    { carrier: ctx.carrier.name, now },
  );
  if (!file) throw new Error('The order is there.');
  return startDial(ctx, file, {
    attemptId: newId('att', now),
    now,
    watchAt: now,
    minutePriceMicros: 150_000,
    textPriceMicros: 15_000,
    dialsMax: 3,
    dialsWithinHours: 24,
  });
}

const dial = (ctx: Context, orderId: string) =>
  dialOrder(ctx, { workspaceId: workspace.id, orderId });

/** Claims and dials like a worker; without waiting for calls that are booked a little ahead. */
async function work(ctx: Context): Promise<Promise<void>[]> {
  const { tasks } = await claimDue(ctx);
  return tasks.flatMap((task) => (task.task === 'dial_order' ? [dialOrder(ctx, task)] : []));
}

async function ordersNow() {
  return system.ctx.db<{ status: string; attemptNumber: number; carrierFaults: number }[]>`
    select status, attempt_number, carrier_faults from orders
    where workspace_id = ${workspace.id} order by id`;
}

describe('calls per second', () => {
  const paced = () => ({
    ...system.ctx,
    settings: { ...system.ctx.settings, carrierCallsPerSecond: 5 },
  });

  it('are booked one after the other by whichever process asks, at most a second ahead', async () => {
    const ids = await insertDue(20);
    const processes = [paced(), paced()];
    const answers = await Promise.all(
      ids.map((orderId, n) => ask(processes[n % 2] ?? paced(), orderId)),
    );
    const bookedMs = answers.flatMap((answer) =>
      answer.outcome === 'dialing' && answer.call_at
        ? [Date.parse(answer.call_at) - clock.now().getTime()]
        : [],
    );
    expect(bookedMs.toSorted((a, b) => a - b)).toEqual([0, 200, 400, 600, 800]);
    expect(answers.filter(({ outcome }) => outcome === 'carrier_busy')).toHaveLength(15);
    expect((await ordersNow()).filter(({ status }) => status === 'QUEUED')).toHaveLength(15);
  });

  it('make the others wait for fractions of a second and lose none', async () => {
    const processes = [paced(), paced()];
    await insertDue(20);
    const running: Promise<void>[] = [];
    const begunAt = clock.now().getTime();
    const isDone = () => notebook.calls.length === 20;
    while (!isDone()) {
      for (const ctx of processes) running.push(...(await work(ctx)));
      await clock.turn(100);
    }
    await Promise.all(running);
    expect(clock.now().getTime() - begunAt).toBeGreaterThanOrEqual(3_800);
    expect((await ordersNow()).every(({ attemptNumber }) => attemptNumber === 1)).toBe(true);
  });

  it('bound what is claimed, so that a newcomer need not wait for a long line', async () => {
    await insertDue(50);
    const settings = { ...system.ctx.settings, carrierCallsPerSecond: 5 };
    const { tasks, lookAgainAt } = await claimDue({ ...system.ctx, settings });
    expect(tasks).toHaveLength(5);
    expect(lookAgainAt?.getTime()).toBeLessThanOrEqual(clock.now().getTime() + 1_000);
  });
});

describe('a carrier that keeps failing', () => {
  const fails = (): PlaceCallResult => ({ kind: 'refused', why: 'carrier_fault', code: '20003' });

  it('pauses after three faults in a row: nothing is dialled, and no order pays for it', async () => {
    notebook.answer = fails;
    const ids = await insertDue(10);
    for (const id of ids) await dial(system.ctx, id);
    expect(notebook.calls).toHaveLength(3);
    expect((await claimDue(system.ctx)).tasks).toEqual([]);
    const orders = await ordersNow();
    expect(
      orders.every(({ status, attemptNumber }) => status === 'QUEUED' && attemptNumber === 0),
    ).toBe(true);
    // The first two are theirs; the one that made the pause is the carrier's.
    expect(orders.map(({ carrierFaults }) => carrierFaults)).toEqual([1, 1, ...Array(8).fill(0)]);
  });

  it('is probed by one dial, for which nothing fails, and rests twice as long each time', async () => {
    notebook.answer = fails;
    await insertDue(1);
    const triedAtMs: number[] = [];
    for (let second = 0; second < 800; second++) {
      const before = notebook.calls.length;
      await system.drain();
      if (notebook.calls.length > before) triedAtMs.push(second);
      await clock.turn(1_000);
    }
    const gaps = triedAtMs.map((at, n) => at - (triedAtMs[n - 1] ?? 0)).slice(3);
    expect(gaps).toEqual([5, 10, 20, 40, 80, 160, 300]);
    expect(await ordersNow()).toMatchObject([{ status: 'QUEUED', attemptNumber: 0 }]);
  });

  it('goes on for all as soon as one call is placed', async () => {
    notebook.answer = fails;
    const ids = await insertDue(10);
    for (const id of ids.slice(0, 3)) await dial(system.ctx, id);
    await clock.turn(5_000);
    notebook.answer = null;
    const [probe, ...others] = await work(system.ctx);
    expect(others).toEqual([]);
    await probe;
    await system.drain();
    // Two of the first three wait for their own retry.
    await clock.turn(26_000);
    await system.drain();
    expect((await ordersNow()).every(({ status }) => status === 'DIALING')).toBe(true);
  });

  it('lets only one of many parallel dials probe', async () => {
    notebook.answer = fails;
    const ids = await insertDue(23);
    for (const id of ids.slice(0, 3)) await dial(system.ctx, id);
    await clock.turn(5_000);
    notebook.calls.length = 0;
    await Promise.all(ids.slice(3).map((id) => dial(system.ctx, id)));
    expect(notebook.calls).toHaveLength(1);
  });

  it('is not what a wrong number is', async () => {
    notebook.answer = () => ({ kind: 'refused', why: 'invalid_number', code: '21211' });
    const ids = await insertDue(5);
    for (const id of ids) await dial(system.ctx, id);
    expect(notebook.calls).toHaveLength(5);
  });

  it('sends no texts meanwhile; they go out afterwards', async () => {
    await insertDue(1);
    await system.drain();
    const [call] = notebook.calls;
    await system.ctx.db`
      insert into texts (workspace_id, id, order_id, attempt_id, state, phone, body,
        next_try_at, created_at)
      select workspace_id, 'txt_1', order_id, id, 'due', phone, 'Hello',
        ${clock.now()}, ${clock.now()}
      from attempts where id = ${call?.attemptId ?? ''}`;
    await system.ctx.db`
      insert into carrier_accounts (name, paused_until)
      values ('notebook', ${clock.now()}::timestamptz + interval '5 seconds')
      on conflict (name) do update set paused_until = excluded.paused_until`;
    await system.drain();
    expect(notebook.texts).toEqual([]);
    await clock.turn(5_000);
    await system.drain();
    expect(notebook.texts.map(({ textId }) => textId)).toEqual(['txt_1']);
  });
});
