// Dialling under load: money, live calls and numbers are exact, and nobody waits for another's crowd.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { applyCarrierEvent } from '../../domain/attempts/apply-carrier-event.ts';
import { claimDue } from '../../domain/orders/claim-due.ts';
import { claimDueOrdersSql } from '../../domain/dialling/claim-orders-queries.ts';
import { dialOrder } from '../../domain/dialling/dial-order.ts';
import { turnableClock } from '../../platform/clock.ts';
import { type DueOrders, insertDueOrders } from '../support/due-orders.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createNotebookCarrier } from '../support/notebook-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const notebook = createNotebookCarrier();
const minuteMicros = 150_000;

let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock, carrier: notebook.carrier });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
  // What earlier tests left behind is none of this one's business.
  await system.ctx.db`update orders set status = 'FAILED', completed_at = now(), next_dial_at = null
    where completed_at is null and workspace_id <> ${workspace.id}`;
  await system.ctx
    .db`update attempts set state = 'ended', watch_at = null where watch_at is not null`;
  notebook.calls.length = 0;
});

function insertDue(change: Partial<DueOrders> & { count: number }, owner = workspace) {
  const { id: workspaceId, agentId } = owner;
  return insertDueOrders(system.ctx.db, { workspaceId, agentId, dueAt: clock.now(), ...change });
}

const dialAll = (ids: readonly string[]) =>
  Promise.all(ids.map((orderId) => dialOrder(system.ctx, { workspaceId: workspace.id, orderId })));

async function setLiveCallLimit(max: number) {
  await system.ctx.db`update workspaces set live_call_limit = ${max} where id = ${workspace.id}`;
}

async function countOf(status: string) {
  const [row] = await system.ctx.db<{ count: number }[]>`
    select count(*)::int as count from orders
    where workspace_id = ${workspace.id} and status = ${status}`;
  return row?.count;
}

async function endCall(attemptId: string) {
  const [attempt] = await system.ctx.db<{ orderId: string }[]>`
    select order_id from attempts where id = ${attemptId}`;
  await applyCarrierEvent(
    system.ctx,
    { workspaceId: workspace.id, orderId: attempt?.orderId ?? '', attemptId },
    {
      kind: 'call_state',
      eventId: `end-${attemptId}`,
      carrierCallId: `CA${attemptId}`,
      state: 'no_answer',
      durationSeconds: 0,
    },
  );
}

async function claimedDials() {
  const { tasks, lookAgainAt } = await claimDue(system.ctx);
  return { lookAgainAt, dials: tasks.filter((task) => task.task === 'dial_order') };
}

describe('many dials at once', () => {
  it('200 with money for 50 start exactly 50, and hold what 50 cost', async () => {
    workspace = await createWorkspace(system.ctx, { balanceMicros: 50 * minuteMicros });
    await setLiveCallLimit(1_000);
    await dialAll(await insertDue({ count: 200 }));
    expect(notebook.calls).toHaveLength(50);
    expect(await countOf('DIALING')).toBe(50);
    const waiting = await system.ctx.db`
      select 1 from orders where workspace_id = ${workspace.id} and reason = 'waiting_for_balance'`;
    expect(waiting).toHaveLength(150);
    expect(await readWallet(system.ctx, workspace.id)).toMatchObject({
      heldMicros: 50 * minuteMicros,
      openHoldsMicros: 50 * minuteMicros,
    });
  });

  it('100 under a limit of 10 start exactly 10; the others say why they wait', async () => {
    await dialAll(await insertDue({ count: 100 }));
    expect(notebook.calls).toHaveLength(10);
    const waiting = await system.ctx.db`
      select 1 from orders where workspace_id = ${workspace.id} and reason = 'live_call_limit'`;
    expect(waiting).toHaveLength(90);
  });

  it('20 to one number ring it once', async () => {
    await dialAll(await insertDue({ count: 20, phone: '+12125550101' }));
    expect(notebook.calls).toHaveLength(1);
  });

  it('of one order place one call', async () => {
    const [id = ''] = await insertDue({ count: 1 });
    await dialAll(Array.from({ length: 20 }, () => id));
    expect(notebook.calls).toHaveLength(1);
  });
});

describe('an order that waits for a call to end', () => {
  it('is dialled when one ends, the oldest first, and one per call', async () => {
    await insertDue({ count: 30 });
    await system.drain();
    expect(notebook.calls).toHaveLength(10);
    for (const { attemptId } of notebook.calls.slice(0, 3)) await endCall(attemptId);
    await system.drain();
    const phones = notebook.calls.map(({ to }) => to);
    expect(phones).toEqual(Array.from({ length: 13 }, (_, n) => `+1646${2_000_000 + n}`));
  });

  it('to the same number is dialled when that call ends, not before', async () => {
    await insertDue({ count: 2, phone: '+12125550101' });
    await system.drain();
    expect(notebook.calls).toHaveLength(1);
    await endCall(notebook.calls[0]?.attemptId ?? '');
    await system.drain();
    expect(notebook.calls.map(({ to }) => to)).toEqual(['+12125550101', '+12125550101']);
  });

  it('looks again by itself should nothing wake it', async () => {
    await setLiveCallLimit(0);
    await insertDue({ count: 1 });
    await system.drain();
    const [waiting] = await system.ctx.db`
      select status, reason, next_dial_at > ${clock.now()} as later from orders
      where workspace_id = ${workspace.id}`;
    expect(waiting).toEqual({ status: 'QUEUED', reason: 'live_call_limit', later: true });
    await setLiveCallLimit(10);
    await clock.turn(600_000);
    await system.drain();
    expect(notebook.calls).toHaveLength(1);
  });

  it('fails at once when its number opts out, full or not', async () => {
    await setLiveCallLimit(0);
    await insertDue({ count: 1, phone: '+12125550101' });
    await system.drain();
    await system.ctx.db`
      select suppress_number(${workspace.id}, '+12125550101', 'added', null, null, ${clock.now()})`;
    await system.drain();
    const [order] = await system.ctx.db`
      select status, reason from orders where workspace_id = ${workspace.id}`;
    expect(order).toEqual({ status: 'FAILED', reason: 'do_not_contact' });
  });
});

describe('claims', () => {
  it("serve another's fresh lead before the crowd of one workspace", async () => {
    await insertDue({ count: 3_000, dueAt: new Date(clock.now().getTime() - 60_000) });
    const other = await createWorkspace(system.ctx);
    const [fresh] = await insertDue({ count: 1 }, other);
    const { dials } = await claimedDials();
    expect(dials).toContainEqual({ task: 'dial_order', workspaceId: other.id, orderId: fresh });
    // Of the crowd no more than may be on the phone.
    expect(dials.filter(({ workspaceId }) => workspaceId === workspace.id)).toHaveLength(10);
  });

  it('take turns between workspaces', async () => {
    const other = await createWorkspace(system.ctx);
    await insertDue({ count: 3, dueAt: new Date(clock.now().getTime() - 60_000) });
    await insertDue({ count: 3 }, other);
    const { dials } = await claimedDials();
    const { id: one } = workspace;
    const { id: two } = other;
    expect(dials.map(({ workspaceId }) => workspaceId)).toEqual([one, two, one, two, one, two]);
  });

  it('let whoever has fewer calls go first while the carrier is what everybody waits for', async () => {
    await setLiveCallLimit(1_000);
    const before = new Date(clock.now().getTime() - 60_000);
    await dialAll(await insertDue({ count: 5, idPrefix: 'ord_live', dueAt: before }));
    await insertDue({ count: 1_000, dueAt: before });
    const other = await createWorkspace(system.ctx);
    const [fresh] = await insertDue({ count: 1 }, other);
    const settings = { ...system.ctx.settings, carrierCallsPerSecond: 1 };
    const { tasks } = await claimDue({ ...system.ctx, settings });
    const dials = tasks.filter((task) => task.task === 'dial_order');
    expect(dials.map(({ orderId }) => orderId)).toEqual([fresh]);
  });

  it('take first dials before retries, however long those are due', async () => {
    const before = new Date(clock.now().getTime() - 3_600_000);
    await insertDue({ count: 20, attemptNumber: 1, dueAt: before, idPrefix: 'ord_retry' });
    await insertDue({ count: 10, idPrefix: 'ord_first' });
    const { dials } = await claimedDials();
    expect(dials).toHaveLength(10);
    expect(dials.every(({ orderId }) => orderId.startsWith('ord_first'))).toBe(true);
  });

  it('empty a crowd step by step until everything waits, then rest', async () => {
    await insertDue({ count: 1_000 });
    let rounds = 0;
    for (let more: Date | null = clock.now(); more; rounds++) {
      more = (await claimedDials()).lookAgainAt;
      expect(rounds).toBeLessThan(20);
    }
    const [due] = await system.ctx.db<{ count: number }[]>`
      select count(*)::int as count from orders
      where workspace_id = ${workspace.id} and next_dial_at <= ${clock.now()}`;
    // Claims do not know of each other's before they dial; what is too much waits then.
    expect(due?.count).toBeLessThan(100);
  });

  it('give an order to the next worker when the first dies before it dials', async () => {
    await insertDue({ count: 1 });
    expect((await claimedDials()).dials).toHaveLength(1);
    expect((await claimedDials()).dials).toEqual([]);
    await clock.turn(61_000);
    await system.drain();
    expect(notebook.calls).toHaveLength(1);
  });

  it('read by indexes, never through the table', async () => {
    const { db } = system.ctx;
    await insertDue({ count: 20_000, dueAt: new Date(clock.now().getTime() + 86_400_000) });
    await insertDue({ count: 500, idPrefix: 'ord_crowd' });
    const claim = {
      now: clock.now(),
      until: clock.now(),
      waitUntil: clock.now(),
      carrierAccount: 'notebook',
      callsPerSecond: null,
    };
    const rows = await db`explain (costs off) ${claimDueOrdersSql(db, claim)}`;
    const plan = rows.map((row) => String(Object.values(row)[0])).join('\n');
    expect(plan).not.toMatch(/Seq Scan on (orders|attempts)/);
  });
});
