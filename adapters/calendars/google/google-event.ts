// Appointments as Google's events, and when events of others keep a time busy. Pure.
import { createHash } from 'node:crypto';
import type { calendar_v3 } from '@googleapis/calendar';
import { Temporal } from 'temporal-polyfill';
import type { BookingRequest, BusyTime } from '../../../domain/calls/calendar.ts';

export type GoogleEvent = calendar_v3.Schema$Event;

/** Google takes 5 to 1024 characters of a to v and 0 to 9; the same appointment always gets the same id. */
export function eventId(appointmentId: string): string {
  return createHash('sha256').update(appointmentId).digest('hex');
}

export function eventOf(request: BookingRequest): GoogleEvent {
  const { attendee, slot, timezone: timeZone } = request;
  const end = new Date(Date.parse(slot.startTime) + slot.minutes * 60_000).toISOString();
  return {
    id: eventId(request.appointmentId),
    summary: `${request.businessName}: ${attendee.firstName ?? attendee.phone}`,
    description: `Booked on the phone by the virtual AI assistant. Phone: ${attendee.phone}`,
    start: { dateTime: slot.startTime, timeZone },
    end: { dateTime: end, timeZone },
    transparency: 'opaque',
    extendedProperties: {
      private: { appointment_id: request.appointmentId, order_id: request.orderId },
    },
  };
}

/** An event that keeps the time of ours and was there first. */
export function isRival(event: GoogleEvent, ours: GoogleEvent, timeZone: string): boolean {
  if (event.id === ours.id || !keepsBusy(event)) return false;
  const [theirs, own] = [timeOf(event, timeZone), timeOf(ours, timeZone)];
  if (!theirs || !own || theirs.endMs <= own.startMs || own.endMs <= theirs.startMs) return false;
  const [theirBirth, ownBirth] = [Date.parse(event.created ?? ''), Date.parse(ours.created ?? '')];
  // Made in the same moment: the smaller id stays, so that not both give way.
  return theirBirth === ownBirth ? (event.id ?? '') < (ours.id ?? '') : !(theirBirth > ownBirth);
}

function keepsBusy(event: GoogleEvent): boolean {
  const declined = event.attendees?.some((one) => one.self && one.responseStatus === 'declined');
  return event.status !== 'cancelled' && event.transparency !== 'transparent' && !declined;
}

/** All-day events have dates, which mean the days of the calendar's zone. */
function timeOf({ start, end }: GoogleEvent, timeZone: string): BusyTime | null {
  const startMs = momentOf(start, timeZone);
  const endMs = momentOf(end, timeZone);
  return startMs === null || endMs === null ? null : { startMs, endMs };
}

function momentOf(time: calendar_v3.Schema$EventDateTime | undefined, timeZone: string) {
  if (time?.dateTime) return Date.parse(time.dateTime);
  if (!time?.date) return null;
  return Temporal.PlainDate.from(time.date).toZonedDateTime(timeZone).epochMilliseconds;
}
