// Books one time for a call: committed here first, then asked of the calendar, booked only when that confirms it.
import { newId } from '../../platform/ids.ts';
import type { BookingResult, CallRef, Slot } from '../calls/call-desk.ts';
import type { CalendarBooking } from '../calls/calendar.ts';
import type { Context } from '../context.ts';
import { findOrderFile, type OrderFile } from '../orders/order-queries.ts';
import * as queries from './appointment-queries.ts';
import { bookingRequest } from './booking-request.ts';
import { openWorkspaceCalendar, type WorkspaceCalendar } from './open-workspace-calendar.ts';

const limits = {
  /** Past any request that could still be under way. */
  settleAfterSeconds: 120,
} as const;

interface Booking {
  readonly ctx: Context;
  readonly call: CallRef;
  readonly calendar: WorkspaceCalendar;
  readonly file: OrderFile;
}

/** One appointment per call: a repeat answers the first. */
export async function bookSlot(ctx: Context, call: CallRef, slot: Slot): Promise<BookingResult> {
  const file = await findOrderFile(ctx.db, call.workspaceId, call.orderId);
  const calendar = file && (await openWorkspaceCalendar(ctx, call.workspaceId));
  if (!calendar) return { kind: 'unavailable' };
  const booking = { ctx, call, calendar, file };
  const first = await ask(booking, slot);
  if (first.outcome !== 'known' || first.state === 'booked') return answer(booking, first, slot);
  const settled = await settleEarlier(booking, first, slot);
  return settled ?? answer(booking, await ask(booking, slot), slot);
}

function ask({ ctx, call, calendar: { row } }: Booking, slot: Slot) {
  const now = ctx.clock.now();
  return queries.askAppointment(ctx.db, call, slot, {
    id: newId('cal', now),
    kind: row.kind,
    bufferBeforeMinutes: row.bufferBeforeMinutes,
    bufferAfterMinutes: row.bufferAfterMinutes,
    now,
    settleAt: new Date(now.getTime() + limits.settleAfterSeconds * 1000),
  });
}

async function answer(booking: Booking, asked: queries.Asked, slot: Slot): Promise<BookingResult> {
  switch (asked.outcome) {
    case 'taken':
      return { kind: 'taken' };
    case 'call_over':
      return { kind: 'unavailable' };
    case 'asked':
      return bookAtCalendar(booking, asked.id, slot);
    case 'known': {
      const startTime = new Date(asked.start_at).toISOString();
      const calendarEventId = asked.calendar_event_id;
      return asked.state === 'booked' && calendarEventId
        ? { kind: 'booked', startTime, calendarEventId }
        : { kind: 'unavailable' };
    }
  }
}

/** What became of an earlier request of this call; null when it surely came to nothing and another time is wanted. */
async function settleEarlier(
  booking: Booking,
  earlier: Extract<queries.Asked, { outcome: 'known' }>,
  slot: Slot,
): Promise<BookingResult | null> {
  const { ctx, call, calendar, file } = booking;
  if (earlier.calendar_kind !== calendar.row.kind) return { kind: 'unavailable' };
  const startTime = new Date(earlier.start_at).toISOString();
  const asked = { startTime, minutes: earlier.minutes };
  const request = bookingRequest(file, calendar.row.timezone, earlier.id, asked);
  const found = await calendar.find(request);
  switch (found.kind) {
    case 'found':
      return keep(booking, earlier.id, asked, found.calendarEventId);
    case 'unknown':
      return { kind: 'unavailable' };
    case 'absent':
      if (startTime === slot.startTime) return bookAtCalendar(booking, earlier.id, asked);
      await queries.cancelAppointment(ctx.db, call.workspaceId, earlier.id, ctx.clock.now());
      return null;
  }
}

async function bookAtCalendar(booking: Booking, id: string, slot: Slot): Promise<BookingResult> {
  const { ctx, call, calendar, file } = booking;
  const result = await calendar.book(bookingRequest(file, calendar.row.timezone, id, slot));
  log(booking, result);
  switch (result.kind) {
    case 'booked':
      return keep(booking, id, slot, result.calendarEventId);
    case 'taken':
      await queries.cancelAppointment(ctx.db, call.workspaceId, id, ctx.clock.now());
      return { kind: 'taken' };
    case 'refused':
      await queries.cancelAppointment(ctx.db, call.workspaceId, id, ctx.clock.now());
      await calendar.noteProblem(result.problem);
      return { kind: 'unavailable' };
    case 'unknown':
      // The row stays: it keeps the time from others until it is known what became of it.
      return { kind: 'unavailable' };
  }
}

/** A booking that was given up meanwhile must not stay in the calendar. */
async function keep(
  { ctx, call, calendar }: Booking,
  id: string,
  slot: Slot,
  calendarEventId: string,
): Promise<BookingResult> {
  if (await queries.confirmAppointment(ctx.db, call, id, calendarEventId))
    return { kind: 'booked', startTime: slot.startTime, calendarEventId };
  await calendar.cancel(calendarEventId);
  return { kind: 'unavailable' };
}

function log({ ctx, call, calendar }: Booking, result: CalendarBooking) {
  const { attemptId } = call;
  ctx.log.info({ attemptId, kind: calendar.row.kind, result: result.kind }, 'calendar asked');
}
