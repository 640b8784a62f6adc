// Cal.com's API v2 as far as it is documented: a version per endpoint, conflicts refused, metadata kept.
import { json, startVendorServer, type VendorAnswer, type VendorRequest } from './vendor-server.ts';

export const calComCredentials = { apiKey: 'cal_live_of_the_workspace' };
export const calComSettings = { eventTypeId: 4711, attendeeEmail: 'leads@example.com' };

const lengthMinutes = 60;

interface CalComBooking {
  readonly uid: string;
  readonly start: string;
  readonly end: string;
  readonly eventTypeId: number;
  readonly status: 'accepted' | 'pending' | 'cancelled';
  readonly metadata: Record<string, unknown>;
  readonly attendees: readonly unknown[];
}

export type CalComServer = Awaited<ReturnType<typeof startCalComServer>>;

/** Open at every hour, an hour long. */
function createBookings() {
  const bookings = new Map<string, CalComBooking>();
  const eventType = { asksHost: false };
  let made = 0;

  const standing = () => [...bookings.values()].filter(({ status }) => status !== 'cancelled');
  const isTaken = (start: number, end: number) =>
    standing().some((other) => Date.parse(other.start) < end && start < Date.parse(other.end));
  const keepBooking = (start: string, metadata: Record<string, unknown>, attendee: unknown) => {
    made += 1;
    const booking: CalComBooking = {
      uid: `booking-${made}`,
      start,
      end: new Date(Date.parse(start) + lengthMinutes * 60_000).toISOString(),
      eventTypeId: calComSettings.eventTypeId,
      status: eventType.asksHost ? 'pending' : 'accepted',
      metadata,
      attendees: [attendee],
    };
    bookings.set(booking.uid, booking);
    return booking;
  };
  const slots = ({ query }: VendorRequest): VendorAnswer => {
    if (Number(query.get('eventTypeId')) !== calComSettings.eventTypeId) return success({});
    const days: Record<string, { start: string; end: string }[]> = {};
    const stepMs = lengthMinutes * 60_000;
    const to = Date.parse(query.get('end') ?? '');
    const day = (query.get('start') ?? '').slice(0, 10);
    for (let at = Date.parse(`${day}T00:00:00Z`); at <= to; at += stepMs) {
      if (isTaken(at, at + stepMs)) continue;
      const start = new Date(at).toISOString();
      (days[start.slice(0, 10)] ??= []).push({ start, end: new Date(at + stepMs).toISOString() });
    }
    return success(days);
  };
  const create = (request: VendorRequest): VendorAnswer => {
    const { eventTypeId, start, attendee, metadata } = json(request);
    const person = (attendee ?? {}) as Record<string, unknown>;
    for (const field of ['name', 'email', 'timeZone'])
      if (!person[field]) return fail(400, `attendee.${field} should not be empty`);
    if (eventTypeId !== calComSettings.eventTypeId)
      return fail(404, `Event type with id ${String(eventTypeId)} not found`);
    const from = Date.parse(String(start));
    if (isTaken(from, from + lengthMinutes * 60_000))
      return fail(409, 'User either already has booking at this time or is not available');
    const booking = keepBooking(String(start), (metadata ?? {}) as Record<string, unknown>, person);
    return success(booking, 201);
  };
  const list = ({ query }: VendorRequest): VendorAnswer => {
    const after = Date.parse(query.get('afterStart') ?? '');
    const before = Date.parse(query.get('beforeEnd') ?? '');
    return success(
      [...bookings.values()].filter(
        ({ start, end }) => Date.parse(start) >= after && Date.parse(end) <= before,
      ),
    );
  };
  const cancel = (uid: string): VendorAnswer => {
    const booking = bookings.get(uid);
    if (!booking) return fail(404, `Booking with uid=${uid} not found`);
    if (booking.status === 'cancelled')
      return fail(400, `Can't cancel booking with uid=${uid}: it has been cancelled already.`);
    bookings.set(uid, { ...booking, status: 'cancelled' });
    return success(bookings.get(uid));
  };
  return { bookings, eventType, standing, keepBooking, slots, create, list, cancel };
}

export async function startCalComServer() {
  const { slots, create, list, cancel, ...book } = createBookings();
  const keys = new Set([calComCredentials.apiKey]);
  const act = (operation: string, request: VendorRequest): VendorAnswer => {
    const { headers, method, path } = request;
    const version = headers['cal-api-version'];
    if (!keys.has((headers.authorization ?? '').replace('Bearer ', '')))
      return fail(401, 'Invalid Access Token.');
    if (operation === 'slots')
      return version === '2024-09-04' ? slots(request) : fail(404, `Cannot ${method} ${path}`);
    // Another version answers well, in another shape.
    if (version !== '2024-08-13') return success({ bookings: [], totalCount: 0 });
    if (operation === 'book') return create(request);
    if (operation === 'list') return list(request);
    return cancel(decodeURIComponent(path.split('/')[3] ?? ''));
  };
  const server = await startVendorServer({ operationOf, act });
  return {
    ...server,
    ...book,
    revoke: () => keys.clear(),
    restore: () => void keys.add(calComCredentials.apiKey),
  };
}

function operationOf({ method, path }: VendorRequest): string {
  if (path === '/v2/slots') return 'slots';
  if (path.endsWith('/cancel')) return 'cancel';
  return method === 'POST' ? 'book' : 'list';
}

function success(data: unknown, status = 200): VendorAnswer {
  return { status, body: { status: 'success', data } };
}

export function fail(status: number, message: string, headers: Record<string, string> = {}) {
  const error = { code: 'Exception', message, details: {} };
  return { status, body: { status: 'error', error }, headers };
}
