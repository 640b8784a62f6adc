// The calendar port: what the calendar of one workspace, ours or a vendor's, can be asked during a call.
import type { Slot } from './call-desk.ts';
import type { OpeningHours } from './open-slots.ts';

export type CalendarKind = 'built_in' | 'google' | 'cal_com';

/** What it takes to talk to the calendar of a workspace. */
export interface CalendarConnection {
  readonly kind: CalendarKind;
  /** Of the vendor's own making and no secret; each adapter reads what it knows. */
  readonly settings: unknown;
  /** Opened; null for the built-in calendar. */
  readonly credentials: string | null;
}

export type OpenCalendar = (connection: CalendarConnection) => Calendar;

/** Why a calendar did not do what it was asked. */
export type CalendarProblem =
  /** The workspace must connect it again. */
  | 'access_revoked'
  /** The calendar or event type that the settings name is not there. */
  | 'not_found'
  | 'too_many_requests'
  /** Late, broken or away: it may be there again in a moment. */
  | 'unreachable'
  /** It refused for another reason, or answered what cannot be read. */
  | 'rejected';

export interface SlotQuery {
  /** Starts lie between these two. */
  readonly from: Date;
  readonly to: Date;
  readonly minutes: number;
  /** Of calendars that have no opening hours of their own. */
  readonly hours: OpeningHours;
  /** To be kept free around an appointment. */
  readonly bufferBeforeMinutes: number;
  readonly bufferAfterMinutes: number;
}

export type FreeSlots =
  /** Soonest first. */
  | { readonly kind: 'free'; readonly slots: readonly Slot[] }
  | { readonly kind: 'unavailable'; readonly problem: CalendarProblem };

export interface BookingRequest {
  /** Names the booking for good: a repeat with the same id never makes a second one. */
  readonly appointmentId: string;
  readonly orderId: string;
  readonly slot: Slot;
  readonly timezone: string;
  readonly businessName: string;
  readonly attendee: { readonly firstName: string | null; readonly phone: string };
}

export type CalendarBooking =
  /** The calendar itself said so. */
  | { readonly kind: 'booked'; readonly calendarEventId: string }
  | { readonly kind: 'taken' }
  /** Surely not booked. */
  | { readonly kind: 'refused'; readonly problem: CalendarProblem }
  /** It may or may not be booked. */
  | { readonly kind: 'unknown' };

export type CalendarLookup =
  | { readonly kind: 'found'; readonly calendarEventId: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown' };

export interface Calendar {
  freeSlots(query: SlotQuery): Promise<FreeSlots>;
  book(request: BookingRequest): Promise<CalendarBooking>;
  /** Whether an earlier request to book came through. */
  find(request: BookingRequest): Promise<CalendarLookup>;
  /** Safe to repeat; an event that is gone already counts as cancelled. */
  cancel(calendarEventId: string): Promise<'cancelled' | 'unknown'>;
}

/** An instant at which somebody or something has the calendar, as epoch milliseconds. */
export interface BusyTime {
  readonly startMs: number;
  readonly endMs: number;
}

/** Free when nothing touches the appointment or the minutes to be kept free around it. */
export function isFree(
  start: Date,
  query: Pick<SlotQuery, 'minutes' | 'bufferBeforeMinutes' | 'bufferAfterMinutes'>,
  busy: readonly BusyTime[],
): boolean {
  const startMs = start.getTime() - query.bufferBeforeMinutes * 60_000;
  const endMs = start.getTime() + (query.minutes + query.bufferAfterMinutes) * 60_000;
  return !busy.some((taken) => taken.startMs < endMs && startMs < taken.endMs);
}
