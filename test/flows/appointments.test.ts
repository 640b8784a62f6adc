// Appointments in the tables: held while they are spoken about, booked once, never shared by two calls.
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bookSlot } from '../../domain/appointments/book-slot.ts';
import { offerSlots } from '../../domain/appointments/offer-slots.ts';
import type { CallRef, Slot } from '../../domain/calls/call-desk.ts';
import { reportCall } from '../../domain/attempts/report-call.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createLiveCall, goodReport } from '../support/live-call.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:20:00Z'));
let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
});

const liveCall = () => createLiveCall(system.ctx, workspace);
const book = (call: CallRef, slot: Slot) => bookSlot(system.ctx, call, slot);
async function offer(call: CallRef, count = 2): Promise<readonly Slot[]> {
  const slots = await offerSlots(system.ctx, call, count);
  if (slots === 'unavailable') throw new Error('The calendar is there.');
  return slots;
}
async function firstSlot(call: CallRef): Promise<Slot> {
  const [slot] = await offer(call, 1);
  if (!slot) throw new Error('The calendar is open at every hour.');
  return slot;
}
const set = (change: Record<string, number>) => system.ctx.db`
  update calendars set ${system.ctx.db(change)} where workspace_id = ${workspace.id}`;
const hour = (slot: Slot) => new Date(slot.startTime).getTime() / 3_600_000;
const at = (startTime: string, minutes = 60): Slot => ({ startTime, minutes });

describe('an offer', () => {
  it('is held: another call is offered other times', async () => {
    const [one, other] = [await liveCall(), await liveCall()];
    const first = await offer(one);
    const second = await offer(other);
    expect(first).toHaveLength(2);
    expect(second).toHaveLength(2);
    expect(new Set([...first, ...second].map(hour)).size).toBe(4);
  });

  it('asked for again is the same, and more of it when more is wanted', async () => {
    const call = await liveCall();
    const first = await offer(call);
    const more = await offer(call, 4);
    expect(more.slice(0, 2)).toEqual(first);
    expect(more).toHaveLength(4);
  });

  it('may be made to others when its time has run out', async () => {
    const [one, other] = [await liveCall(), await liveCall()];
    const first = await offer(one);
    await clock.turn(181_000);
    expect(await offer(other)).toEqual(first);
  });

  it('may be made to others when its call is over', async () => {
    const [one, other] = [await liveCall(), await liveCall()];
    const first = await offer(one);
    await reportCall(system.ctx, one, goodReport(system.ctx));
    expect(await offer(other)).toEqual(first);
  });

  it('that ran out is still booked when nobody took it meanwhile', async () => {
    const call = await liveCall();
    const slot = await firstSlot(call);
    await clock.turn(200_000);
    expect(await book(call, slot)).toMatchObject({ kind: 'booked', startTime: slot.startTime });
  });

  it('leaves the notice, ends at the horizon, and keeps the buffers free', async () => {
    await set({ noticeMinutes: 180, horizonDays: 1, bufferAfterMinutes: 30 });
    const [one, other] = [await liveCall(), await liveCall()];
    const noticeMs = 180 * 60_000;
    const slot = await firstSlot(one);
    expect(Date.parse(slot.startTime) - clock.now().getTime()).toBeGreaterThanOrEqual(noticeMs);
    const all = await offer(other, 100);
    expect(all.length).toBeLessThanOrEqual(22);
    // Half an hour after the first appointment the next full hour is not free either.
    expect(hour(all[0] ?? slot) - hour(slot)).toBe(2);
  });
});

describe('a booking', () => {
  it('is one per call: a repeat, at another time too, answers the first', async () => {
    const call = await liveCall();
    const [first, second] = await offer(call);
    if (!first || !second) throw new Error('Two times are offered.');
    const booked = await book(call, first);
    expect(booked).toMatchObject({
      kind: 'booked',
      calendarEventId: expect.stringMatching(/^cal_/),
    });
    expect(await book(call, first)).toEqual(booked);
    expect(await book(call, second)).toEqual(booked);
  });

  it('frees the other times that were held for its call', async () => {
    const [one, other] = [await liveCall(), await liveCall()];
    const [first, second] = await offer(one);
    await book(one, first ?? at(''));
    expect((await offer(other))[0]).toEqual(second);
  });

  it('of a time that another call holds is refused', async () => {
    const [one, other] = [await liveCall(), await liveCall()];
    const slot = await firstSlot(one);
    expect(await book(other, slot)).toEqual({ kind: 'taken' });
    expect(await book(one, slot)).toMatchObject({ kind: 'booked' });
  });

  it('is refused when it only overlaps another', async () => {
    const [one, other] = [await liveCall(), await liveCall()];
    expect(await book(one, at('2026-11-24T15:00:00.000Z'))).toMatchObject({ kind: 'booked' });
    expect(await book(other, at('2026-11-24T15:30:00.000Z'))).toEqual({ kind: 'taken' });
    expect(await book(other, at('2026-11-24T16:00:00.000Z'))).toMatchObject({ kind: 'booked' });
  });

  it('is not made for a call that is over', async () => {
    const call = await liveCall();
    await reportCall(system.ctx, call, goodReport(system.ctx));
    expect(await book(call, at('2026-11-24T15:00:00.000Z'))).toEqual({ kind: 'unavailable' });
  });

  it('that the calendar confirmed as the person hung up makes the order BOOKED', async () => {
    const call = await liveCall();
    const booked = await book(call, await firstSlot(call));
    await reportCall(system.ctx, call, goodReport(system.ctx));
    const [order] = await system.ctx.db`
      select status, appointment from orders where id = ${call.orderId}`;
    expect(order).toMatchObject({
      status: 'BOOKED',
      appointment: { calendar_event_id: booked.kind === 'booked' && booked.calendarEventId },
    });
  });

  it('that the person was told would not be made is taken back', async () => {
    const call = await liveCall();
    await book(call, at('2026-11-24T15:00:00.000Z'));
    await reportCall(system.ctx, call, goodReport(system.ctx, { calendarFailed: true }));
    await clock.turn(130_000);
    await system.drain();
    const rows = await system.ctx.db`
      select o.status, a.state from orders o, appointments a
      where o.id = ${call.orderId} and a.attempt_id = ${call.attemptId}`;
    expect(rows).toMatchObject([{ status: 'QUALIFIED', state: 'cancelled' }]);
  });

  it('is made by exactly one of ten calls that race for it', async () => {
    const calls = await Promise.all(Array.from({ length: 10 }, liveCall));
    const slot = at('2026-11-24T15:00:00.000Z');
    const results = await Promise.all(calls.map((call) => book(call, slot)));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual([
      'booked',
      ...Array.from({ length: 9 }, () => 'taken'),
    ]);
  });
});

it('however calls offer, book and end at once, no two of them share a minute', async () => {
  const act = fc.record({
    call: fc.nat(5),
    what: fc.constantFrom('offer', 'book', 'end', 'wait'),
    halfHour: fc.nat(11),
    minutes: fc.constantFrom(30, 60, 90),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 24 }), async (acts) => {
      const own = await createWorkspace(system.ctx);
      const calls = await Promise.all(
        Array.from({ length: 6 }, () => createLiveCall(system.ctx, own)),
      );
      const start = Date.parse('2026-11-26T12:00:00Z');
      await Promise.all(
        acts.map(async ({ call: index, what, halfHour, minutes }) => {
          const call = calls[index];
          if (!call) return;
          if (what === 'offer') await offer(call, 1 + (halfHour % 4));
          else if (what === 'end') await reportCall(system.ctx, call, goodReport(system.ctx));
          else if (what === 'wait') await clock.turn(20_000);
          else {
            const startTime = new Date(start + halfHour * 1_800_000).toISOString();
            await book(call, { startTime, minutes });
          }
        }),
      );
      const [overlaps] = await system.ctx.db`
        select count(*)::int as pairs from appointments a join appointments b
          on a.workspace_id = b.workspace_id and a.attempt_id < b.attempt_id and a.span && b.span
        where a.workspace_id = ${own.id} and a.state <> 'cancelled' and b.state <> 'cancelled'`;
      expect(overlaps).toEqual({ pairs: 0 });
    }),
    { numRuns: 25 },
  );
});
