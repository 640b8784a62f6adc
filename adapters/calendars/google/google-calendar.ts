// A Google calendar: its busy times against our opening hours, events under ids of our own making.
import { z } from 'zod';
import {
  isFree,
  type BookingRequest,
  type BusyTime,
  type Calendar,
  type CalendarBooking,
  type CalendarConnection,
  type CalendarLookup,
  type CalendarProblem,
} from '../../../domain/calls/calendar.ts';
import { openStarts } from '../../../domain/calls/open-slots.ts';
import type { Clock } from '../../../platform/clock.ts';
import { readConnection } from '../read-connection.ts';
import { askGoogle, type Answered } from './ask-google.ts';
import { createGoogleClients, GoogleCredentials, type GoogleApp } from './google-client.ts';
import { eventId, eventOf, isRival, type GoogleEvent } from './google-event.ts';

const defaults = { requestTimeoutMs: 2_000 } as const;

const Settings = z.object({ calendarId: z.string().min(1).default('primary') });

interface Account {
  readonly ask: ReturnType<typeof askGoogle>;
  readonly calendarId: string;
}

export function createGoogleCalendars(
  options: GoogleApp & { clock: Clock; requestTimeoutMs?: number },
): (connection: CalendarConnection) => Calendar {
  const clients = createGoogleClients(options);
  const { clock, requestTimeoutMs = defaults.requestTimeoutMs } = options;
  return (connection) => {
    const shape = { settings: Settings, credentials: GoogleCredentials };
    const { settings, credentials } = readConnection(connection, shape);
    const ask = askGoogle(clients(credentials), clock, requestTimeoutMs);
    const account = { ask, calendarId: settings.calendarId };
    return {
      async freeSlots(query) {
        const until = new Date(query.to.getTime() + (query.minutes + 1_440) * 60_000);
        const found = await findBusy(account, query.from, until);
        if ('problem' in found) return { kind: 'unavailable', problem: found.problem };
        const starts = [...openStarts(query.hours, query, query.minutes)];
        const slots = starts
          .filter((start) => isFree(start, query, found.busy))
          .map((start) => ({ startTime: start.toISOString(), minutes: query.minutes }));
        return { kind: 'free', slots };
      },
      book: (request) => book(account, request),
      find: async (request) => lookupOf(await findEvent(account, request)),
      cancel: async (calendarEventId) => cancel(account, calendarEventId),
    };
  };
}

/** Google itself never refuses an overlap: it is looked for before, and once more after. */
async function book(account: Account, request: BookingRequest): Promise<CalendarBooking> {
  const start = new Date(request.slot.startTime);
  const end = new Date(start.getTime() + request.slot.minutes * 60_000);
  const found = await findBusy(account, start, end);
  if ('problem' in found) return { kind: 'refused', problem: found.problem };
  if (found.busy.length > 0) {
    // What is in the way may be an earlier request of our own that came through late.
    const own = await findEvent(account, request);
    if (own.kind === 'failed') return { kind: 'unknown' };
    return own.kind === 'done' && own.value ? giveWay(account, own.value) : { kind: 'taken' };
  }
  const inserted = await insert(account, request);
  return inserted.kind === 'event' ? giveWay(account, inserted.event) : inserted;
}

type Inserted =
  Exclude<CalendarBooking, { kind: 'booked' }> | { kind: 'event'; event: GoogleEvent };

/** A lost answer is looked up; only when nothing is there the same event is sent again, once. */
async function insert(account: Account, request: BookingRequest): Promise<Inserted> {
  for (let sent = 1; ; sent += 1) {
    const answer = await account.ask((client, options) =>
      client.events.insert(
        { calendarId: account.calendarId, requestBody: eventOf(request), sendUpdates: 'none' },
        options,
      ),
    );
    if (answer.kind === 'done') return { kind: 'event', event: answer.value };
    if (answer.failure.kind === 'refused' && answer.failure.status !== 409)
      return { kind: 'refused', problem: answer.failure.problem };
    const own = await findEvent(account, request);
    if (own.kind === 'failed') return { kind: 'unknown' };
    if (own.value) return { kind: 'event', event: own.value };
    // The id was used and its event deleted since: somebody did not want it there.
    if (answer.failure.kind === 'refused') return { kind: 'taken' };
    if (sent > 1) return { kind: 'unknown' };
  }
}

/** Whoever came first keeps the time; unknown while ours cannot be taken back. */
async function giveWay(account: Account, ours: GoogleEvent): Promise<CalendarBooking> {
  const calendarEventId = ours.id ?? '';
  const { dateTime: timeMin = '' } = ours.start ?? {};
  const { dateTime: timeMax = '' } = ours.end ?? {};
  const { calendarId } = account;
  const listed = await account.ask((client, options) =>
    client.events.list(
      { calendarId, timeMin: timeMin ?? '', timeMax: timeMax ?? '', singleEvents: true },
      options,
    ),
  );
  // The event stands, so the calendar has confirmed it, whatever else cannot be read now.
  const rivals = listed.kind === 'done' ? (listed.value.items ?? []) : [];
  const zone = (listed.kind === 'done' && listed.value.timeZone) || 'UTC';
  if (!rivals.some((event) => isRival(event, ours, zone)))
    return { kind: 'booked', calendarEventId };
  const cancelled = await cancel(account, calendarEventId);
  return cancelled === 'cancelled' ? { kind: 'taken' } : { kind: 'unknown' };
}

async function cancel({ ask, calendarId }: Account, event: string) {
  const answer = await ask((client, options) =>
    client.events.delete({ calendarId, eventId: event, sendUpdates: 'none' }, options),
  );
  if (answer.kind === 'done' || isGone(answer)) return 'cancelled';
  return 'unknown';
}

/** Null when there is none under our id, or it was deleted. */
async function findEvent(
  { ask, calendarId }: Account,
  request: BookingRequest,
): Promise<Answered<GoogleEvent | null>> {
  const id = eventId(request.appointmentId);
  const answer = await ask((client, options) =>
    client.events.get({ calendarId, eventId: id }, options),
  );
  if (isGone(answer)) return { kind: 'done', value: null };
  if (answer.kind === 'failed') return answer;
  return { kind: 'done', value: answer.value.status === 'cancelled' ? null : answer.value };
}

function isGone(answer: Answered<unknown>): boolean {
  if (answer.kind === 'done' || answer.failure.kind === 'unknown') return false;
  return answer.failure.status === 404 || answer.failure.status === 410;
}

function lookupOf(answer: Answered<GoogleEvent | null>): CalendarLookup {
  if (answer.kind === 'failed') return { kind: 'unknown' };
  if (!answer.value?.id) return { kind: 'absent' };
  return { kind: 'found', calendarEventId: answer.value.id };
}

/** A calendar that Google reports with errors is not a free one. */
async function findBusy(
  { ask, calendarId }: Account,
  from: Date,
  to: Date,
): Promise<{ busy: readonly BusyTime[] } | { problem: CalendarProblem }> {
  const requestBody = {
    timeMin: from.toISOString(),
    timeMax: to.toISOString(),
    items: [{ id: calendarId }],
  };
  const query = () => ask((client, options) => client.freebusy.query({ requestBody }, options));
  let answer = await query();
  if (answer.kind === 'failed' && answer.failure.kind === 'unknown' && answer.failure.answered)
    answer = await query();
  if (answer.kind === 'failed')
    return { problem: answer.failure.kind === 'refused' ? answer.failure.problem : 'unreachable' };
  const calendar = Object.values(answer.value.calendars ?? {})[0];
  const [error] = calendar?.errors ?? [];
  if (!calendar || error)
    return { problem: error?.reason === 'notFound' ? 'not_found' : 'unreachable' };
  const busy = (calendar.busy ?? []).map(({ start, end }) => ({
    startMs: Date.parse(start ?? ''),
    endMs: Date.parse(end ?? ''),
  }));
  return { busy };
}
