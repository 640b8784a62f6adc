// Calls that book in calendars of every kind, while the vendors fail and other people book there too.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bookSlot } from '../../domain/appointments/book-slot.ts';
import { connectCalendar } from '../../domain/appointments/connect-calendar.ts';
import { offerSlots } from '../../domain/appointments/offer-slots.ts';
import type { BookingResult, CallRef, Slot } from '../../domain/calls/call-desk.ts';
import { listAgents } from '../../domain/agents/list-agents.ts';
import { reportCall } from '../../domain/attempts/report-call.ts';
import { turnableClock, type TurnableClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createLiveCall, goodReport } from '../support/live-call.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import {
  startVendors,
  type Vendor,
  type VendorKind,
  type Vendors,
} from '../support/vendor-calendars.ts';
import type { Fault } from '../support/vendor-server.ts';

const ten = '2026-11-24T15:00:00.000Z';
let clock: TurnableClock;
let vendors: Vendors;
let system: TestContext;
let workspace: TestWorkspace;

beforeEach(async () => {
  clock = turnableClock(new Date('2026-11-23T15:20:00Z'));
  vendors = await startVendors();
  system = await createTestContext({ clock, openCalendar: vendors.openCalendar });
});
afterEach(async () => {
  vendors.close();
  await system.close();
});

async function connect(kind: VendorKind) {
  const { credentials, settings } = vendors.of[kind];
  const connection = { kind, settings, credentials: JSON.stringify(credentials) };
  const result = await connectCalendar(system.ctx, workspace.id, connection);
  expect(result.kind).toBe('connected');
}

const liveCall = () => createLiveCall(system.ctx, workspace);
const book = (call: CallRef, startTime: string) =>
  bookSlot(system.ctx, call, { startTime, minutes: 60 });
const end = (call: CallRef, change = {}) =>
  reportCall(system.ctx, call, goodReport(system.ctx, change));
async function orderOf(call: CallRef) {
  const [order] = await system.ctx.db<
    { status: string; reason: string | null; appointment: Record<string, unknown> }[]
  >`select status, reason, appointment from orders where id = ${call.orderId}`;
  return order;
}
/** Until the tables and the vendor agree. */
async function settle() {
  for (let round = 0; round < 3; round += 1) {
    await clock.turn(130_000);
    await system.drain();
  }
}
async function connected() {
  const key = { keyId: 'key_test', workspaceId: workspace.id, mode: 'live' } as const;
  const { agents } = await listAgents(system.ctx, key);
  return agents.map((agent) => agent.calendar_connected);
}

describe.each(['google', 'cal_com'] as const)('%s', (kind: VendorKind) => {
  let vendor: Vendor;
  beforeEach(async () => {
    vendor = vendors.of[kind];
    workspace = await createWorkspace(system.ctx);
    await connect(kind);
  });

  it('offers what is free there and held by nobody, and books it there', async () => {
    const visit = vendor.visit('2026-11-23T17:00:00.000Z');
    const [one, other] = [await liveCall(), await liveCall()];
    const offers = [await offerSlots(system.ctx, one, 2), await offerSlots(system.ctx, other, 1)];
    expect(offers.flat()).toMatchObject([
      { startTime: '2026-11-23T18:00:00.000Z' },
      { startTime: '2026-11-23T19:00:00.000Z' },
      { startTime: '2026-11-23T20:00:00.000Z' },
    ]);
    const booked = await book(one, '2026-11-23T18:00:00.000Z');
    await end(one);
    await settle();
    const order = await orderOf(one);
    const id = booked.kind === 'booked' ? booked.calendarEventId : '';
    expect(order).toMatchObject({ status: 'BOOKED', appointment: { calendar_event_id: id } });
    expect(vendor.standing().map((event) => event.id)).toEqual([visit, id]);
  });

  it('of ten calls that race for one time, one books it', async () => {
    const calls = await Promise.all(Array.from({ length: 10 }, liveCall));
    const results = await Promise.all(calls.map((call) => book(call, ten)));
    expect(results.filter(({ kind: result }) => result === 'booked')).toHaveLength(1);
    expect(results.filter(({ kind: result }) => result === 'taken')).toHaveLength(9);
    expect(vendor.standing()).toHaveLength(1);
  });

  it('gives another time when somebody took this one meanwhile', async () => {
    const call = await liveCall();
    await offerSlots(system.ctx, call, 2);
    vendor.visit(ten);
    expect(await book(call, ten)).toEqual({ kind: 'taken' });
    expect(await book(call, '2026-11-24T17:00:00.000Z')).toMatchObject({ kind: 'booked' });
  });

  it('that cannot be reached promises nothing; the order is judged without it', async () => {
    const { free, book: operation } = vendor.operations;
    for (const on of [free, operation])
      vendor.server.inject({ on, does: false, answers: vendor.broken, times: 10 });
    const call = await liveCall();
    expect(await offerSlots(system.ctx, call, 2)).toBe('unavailable');
    expect(await book(call, ten)).toEqual({ kind: 'unavailable' });
    await end(call, { calendarFailed: true });
    expect(await orderOf(call)).toMatchObject({
      status: 'QUALIFIED',
      reason: 'calendar_unavailable',
      appointment: { booked: false },
    });
    vendor.server.heal();
    await settle();
    expect(vendor.standing()).toEqual([]);
    expect(await connected()).toEqual([true]);
  });

  it('an event whose confirmation was lost is taken back once the order tells of none', async () => {
    const { book: operation, find } = vendor.operations;
    vendor.server.inject({ on: operation, does: true, answers: 'silence' });
    vendor.server.inject({ on: find, does: false, answers: vendor.broken, times: 3 });
    const call = await liveCall();
    expect(await book(call, ten)).toEqual({ kind: 'unavailable' });
    expect(vendor.standing()).toHaveLength(1);
    await end(call, { calendarFailed: true });
    await settle();
    expect(vendor.standing()).toEqual([]);
    expect(await book(await liveCall(), ten)).toMatchObject({ kind: 'booked' });
  });

  it('an event whose confirmation was lost is found when the call asks again', async () => {
    const { book: operation, find } = vendor.operations;
    vendor.server.inject({ on: operation, does: true, answers: 'silence' });
    vendor.server.inject({ on: find, does: false, answers: vendor.broken });
    const call = await liveCall();
    expect(await book(call, ten)).toEqual({ kind: 'unavailable' });
    expect(await book(call, ten)).toMatchObject({ kind: 'booked', startTime: ten });
    expect(vendor.standing()).toHaveLength(1);
  });

  it('whose access was taken back is not connected, and connected again it is', async () => {
    expect(await connected()).toEqual([true]);
    vendor.revoke();
    expect(await offerSlots(system.ctx, await liveCall(), 1)).toBe('unavailable');
    expect(await connected()).toEqual([false]);
    const { seen } = vendor.server;
    const before = seen.length;
    expect(await offerSlots(system.ctx, await liveCall(), 1)).toBe('unavailable');
    expect(seen).toHaveLength(before);
    vendor.restore();
    await connect(kind);
    expect(await connected()).toEqual([true]);
    expect(await offerSlots(system.ctx, await liveCall(), 1)).toHaveLength(1);
  });

  it('whatever fails and whoever else books: an order is BOOKED exactly when its event stands', async () => {
    const operations = Object.values(vendor.operations);
    const fault = fc.record({
      on: fc.constantFrom(...operations),
      does: fc.boolean(),
      answers: fc.constantFrom(vendor.broken, 'hang_up' as const),
      times: fc.integer({ min: 1, max: 2 }),
    });
    const act = fc.record({
      call: fc.nat(3),
      hour: fc.nat(2),
      what: fc.constantFrom('book', 'book', 'visit', 'end'),
    });
    const plan = fc.record({
      faults: fc.array(fault, { maxLength: 4 }),
      acts: fc.array(act, { minLength: 3, maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ faults, acts }) => {
        workspace = await createWorkspace(system.ctx);
        await connect(kind);
        const { standing, reported, told } = await playOut(vendor, faults, acts);
        expect(standing.map(({ id }) => id).toSorted()).toEqual(reported.toSorted());
        expect(new Set(standing.map(({ start }) => start)).size).toBe(standing.length);
        // Who was told of a booking has it.
        expect(reported).toEqual(expect.arrayContaining(told));
      }),
      { numRuns: 15 },
    );
  });
});

type Act = { call: number; hour: number; what: string };

async function playOut(vendor: Vendor, faults: readonly Fault[], acts: readonly Act[]) {
  const before = new Set(vendor.standing().map(({ id }) => id));
  const day = Date.parse('2026-11-25T15:00:00Z') + before.size * 86_400_000;
  const calls = await Promise.all(Array.from({ length: 4 }, liveCall));
  const results: BookingResult[] = [];
  const visits = new Set<string>();
  for (const fault of faults) vendor.server.inject(fault);
  await Promise.all(
    acts.map(async ({ call: index, hour, what }) => {
      const call = calls[index];
      const slot: Slot = { startTime: new Date(day + hour * 3_600_000).toISOString(), minutes: 60 };
      const isVisited = vendor.standing().some(({ start }) => start === slot.startTime);
      if (what === 'visit' && !isVisited) visits.add(vendor.visit(slot.startTime));
      if (call && what === 'book') results.push(await bookSlot(system.ctx, call, slot));
      if (call && what === 'end') await end(call);
    }),
  );
  vendor.server.heal();
  for (const call of calls) await end(call);
  await settle();
  const orders = await Promise.all(calls.map(orderOf));
  const reported = orders.flatMap((order) =>
    order?.status === 'BOOKED' ? [String(order.appointment['calendar_event_id'])] : [],
  );
  return {
    standing: vendor.standing().filter(({ id }) => !before.has(id) && !visits.has(id)),
    reported,
    told: results.flatMap((one) => (one.kind === 'booked' ? [one.calendarEventId] : [])),
  };
}
