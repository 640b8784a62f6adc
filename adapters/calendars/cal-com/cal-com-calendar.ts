// An event type of Cal.com: its own availability, and bookings that carry our id in their metadata.
import { z } from 'zod';
import type {
  BookingRequest,
  Calendar,
  CalendarBooking,
  CalendarConnection,
  FreeSlots,
  SlotQuery,
} from '../../../domain/calls/calendar.ts';
import type { Clock } from '../../../platform/clock.ts';
import { readConnection } from '../read-connection.ts';
import { askCalCom, type Answered, type AskCalCom } from './ask-cal-com.ts';

const defaults = { requestTimeoutMs: 2_000 } as const;

const Settings = z.object({
  eventTypeId: z.int().positive(),
  /** Cal.com wants an address for every attendee, and leads come with a phone number only. */
  attendeeEmail: z.email(),
  /** The event type has several lengths, so that each request must name one. */
  severalLengths: z.boolean().default(false),
});

const Credentials = z.object({ apiKey: z.string().min(1) });

interface Account {
  readonly ask: AskCalCom;
  readonly settings: z.infer<typeof Settings>;
}

export function createCalComCalendars(options: {
  baseUrl: string;
  clock: Clock;
  requestTimeoutMs?: number;
}): (connection: CalendarConnection) => Calendar {
  return (connection) => {
    const shape = { settings: Settings, credentials: Credentials };
    const { settings, credentials } = readConnection(connection, shape);
    const account = { ask: askCalCom({ ...defaults, ...options, ...credentials }), settings };
    return {
      freeSlots: (query) => freeSlots(account, query),
      book: (request) => book(account, request),
      async find(request) {
        const found = await findBooking(account, request);
        if (found === 'unknown') return { kind: 'unknown' };
        return found ? { kind: 'found', calendarEventId: found.uid } : { kind: 'absent' };
      },
      cancel: (calendarEventId) => cancel(account, calendarEventId),
    };
  };
}

const Days = z.record(
  z.iso.date(),
  z.array(
    z.object({ start: z.iso.datetime({ offset: true }), end: z.iso.datetime({ offset: true }) }),
  ),
);

async function freeSlots(
  { ask, settings }: Account,
  { from, to, minutes }: SlotQuery,
): Promise<FreeSlots> {
  const query = {
    eventTypeId: String(settings.eventTypeId),
    start: from.toISOString(),
    end: to.toISOString(),
    timeZone: 'UTC',
    format: 'range',
    ...(settings.severalLengths && { duration: String(minutes) }),
  };
  const request = { api: 'slots', method: 'GET', path: '/v2/slots', query } as const;
  let answer = await ask(request);
  if (answer.kind === 'unknown' && answer.answered) answer = await ask(request);
  if (answer.kind === 'unknown') return { kind: 'unavailable', problem: 'unreachable' };
  if (answer.kind === 'refused') return { kind: 'unavailable', problem: answer.problem };
  const days = Days.safeParse(answer.data);
  if (!days.success) return { kind: 'unavailable', problem: 'rejected' };
  const slots = Object.values(days.data)
    .flat()
    .map(({ start, end }) => ({
      startTime: new Date(start).toISOString(),
      minutes: Math.round((Date.parse(end) - Date.parse(start)) / 60_000),
    }))
    // Whole days are answered, whatever moment was asked for.
    .filter(({ startTime }) => startTime >= from.toISOString() && startTime <= to.toISOString());
  return { kind: 'free', slots: slots.toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1)) };
}

const Booking = z.object({
  uid: z.string().min(1),
  status: z.string(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Booking = z.infer<typeof Booking>;

/**
 * Cal.com refuses a time that is taken. A lost answer is looked up; only after an answer that it failed, and with
 * nothing there, the request is sent again, once.
 */
async function book(account: Account, request: BookingRequest): Promise<CalendarBooking> {
  for (let sent = 1; ; sent += 1) {
    const answer = await account.ask(bookingOf(account, request));
    const made = answer.kind === 'done' ? Booking.safeParse(answer.data) : null;
    if (made?.success) return confirmed(account, made.data);
    if (answer.kind === 'refused' && !isConflict(answer))
      return { kind: 'refused', problem: answer.problem };
    // What is in the way may be an earlier request of our own that came through.
    const own = await findBooking(account, request);
    if (own === 'unknown') return { kind: 'unknown' };
    if (own) return confirmed(account, own);
    if (answer.kind === 'refused') return { kind: 'taken' };
    const failed = answer.kind === 'unknown' && answer.answered;
    if (!failed || sent > 1) return { kind: 'unknown' };
  }
}

function bookingOf({ settings }: Account, request: BookingRequest) {
  const { attendee, slot, timezone: timeZone } = request;
  const body = {
    eventTypeId: settings.eventTypeId,
    start: slot.startTime,
    attendee: {
      name: attendee.firstName ?? attendee.phone,
      email: settings.attendeeEmail,
      phoneNumber: attendee.phone,
      timeZone,
      language: 'en',
    },
    metadata: { appointment_id: request.appointmentId, order_id: request.orderId },
    ...(settings.severalLengths && { lengthInMinutes: slot.minutes }),
  };
  return { api: 'bookings', method: 'POST', path: '/v2/bookings', body } as const;
}

/** A booking that waits for its host's consent is none yet, and nobody waits for it. */
async function confirmed(account: Account, booking: Booking): Promise<CalendarBooking> {
  if (booking.status === 'accepted') return { kind: 'booked', calendarEventId: booking.uid };
  const cancelled = await cancel(account, booking.uid);
  return cancelled === 'cancelled' ? { kind: 'refused', problem: 'rejected' } : { kind: 'unknown' };
}

function isConflict({ status, message }: Extract<Answered, { kind: 'refused' }>): boolean {
  if (status === 409) return true;
  return (
    status === 400 && /already has (?:a )?booking|not available|can't be booked/i.test(message)
  );
}

/** Ours, unless it was cancelled; null when there is none. */
async function findBooking(
  { ask, settings }: Account,
  { appointmentId, slot }: BookingRequest,
): Promise<Booking | null | 'unknown'> {
  const startMs = Date.parse(slot.startTime);
  const query = {
    eventTypeId: String(settings.eventTypeId),
    afterStart: new Date(startMs - 60_000).toISOString(),
    beforeEnd: new Date(startMs + (slot.minutes + 1) * 60_000).toISOString(),
    take: '100',
  };
  const answer = await ask({ api: 'bookings', method: 'GET', path: '/v2/bookings', query });
  if (answer.kind !== 'done') return 'unknown';
  const listed = z.array(Booking).safeParse(answer.data);
  if (!listed.success) return 'unknown';
  const alive = listed.data.filter(({ status }) => status === 'accepted' || status === 'pending');
  return alive.find(({ metadata }) => metadata?.['appointment_id'] === appointmentId) ?? null;
}

async function cancel({ ask }: Account, uid: string): Promise<'cancelled' | 'unknown'> {
  const answer = await ask({
    api: 'bookings',
    method: 'POST',
    path: `/v2/bookings/${encodeURIComponent(uid)}/cancel`,
    body: { cancellationReason: 'The time could not be kept.' },
  });
  if (answer.kind === 'done') return 'cancelled';
  if (answer.kind === 'unknown') return 'unknown';
  const over = answer.status === 404 || /cancelled already/i.test(answer.message);
  return over ? 'cancelled' : 'unknown';
}
