// The Google adapter, by the official client, against the documented protocol and its faults.
import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGoogleCalendars } from '../../adapters/calendars/google/google-calendar.ts';
import { eventId } from '../../adapters/calendars/google/google-event.ts';
import type { Calendar, FreeSlots } from '../../domain/calls/calendar.ts';
import { systemClock } from '../../platform/clock.ts';
import { bookingAt, eleven, slotQuery, ten } from '../support/calendar-requests.ts';
import {
  googleCredentials,
  refuse,
  startGoogleServer,
  type GoogleServer,
} from '../support/google-server.ts';

let google: GoogleServer;
let calendar: Calendar;

function open(credentials: object = googleCredentials, settings: object = {}): Calendar {
  return createGoogleCalendars({
    clientId: 'client',
    clientSecret: 'secret',
    baseUrl: google.url,
    clock: systemClock(),
    requestTimeoutMs: 400,
  })({ kind: 'google', settings, credentials: JSON.stringify(credentials) });
}

beforeEach(async () => {
  google = await startGoogleServer();
  calendar = open();
});
afterEach(() => google.close());

const startsOf = (free: FreeSlots) =>
  free.kind === 'free' ? free.slots.map(({ startTime }) => startTime.slice(11, 16)) : free.problem;
const starts = async (change = {}) =>
  startsOf(await calendar.freeSlots({ ...slotQuery, ...change }));
const count = (operation: string) => google.seen.filter((seen) => seen === operation).length;
const event = (id: string, start: string, end: string, rest = {}) =>
  google.keepEvent({ id, start: { dateTime: start }, end: { dateTime: end }, ...rest });

describe('free times', () => {
  it('are the opening hours without what is busy', async () => {
    event('visit', ten, eleven);
    expect(await starts()).toEqual(['16:00', '17:00', '18:00']);
  });

  it('keep the buffers free', async () => {
    event('visit', ten, eleven);
    expect(await starts({ bufferBeforeMinutes: 10 })).toEqual(['17:00', '18:00']);
  });

  it('ignore cancelled events and those that are shown as free', async () => {
    event('off', ten, eleven, { status: 'cancelled' });
    event('note', ten, eleven, { transparency: 'transparent' });
    expect(await starts()).toEqual(['15:00', '16:00', '17:00', '18:00']);
  });

  it('end before an event that takes the whole day', async () => {
    google.keepEvent({ id: 'fair', start: { date: '2026-11-24' }, end: { date: '2026-11-25' } });
    expect(await starts()).toEqual([]);
  });

  it('are not guessed when Google reports an error for the calendar', async () => {
    calendar = open(googleCredentials, { calendarId: 'nobody@example.com' });
    expect(await starts()).toBe('not_found');
  });

  it('survive one stumble, and are unavailable after two', async () => {
    google.inject({ on: 'freebusy', does: false, answers: refuse(503, 'backendError') });
    expect(await starts()).toHaveLength(4);
    google.inject({ on: 'freebusy', does: false, answers: refuse(503, 'backendError'), times: 2 });
    expect(await starts()).toBe('unreachable');
  });

  it.each(['silence', 'hang_up'] as const)('are unavailable after %s', async (answers) => {
    google.inject({ on: 'freebusy', does: false, answers });
    expect(await starts()).toBe('unreachable');
  });

  it.each([
    [403, 'rateLimitExceeded'],
    [429, 'rateLimitExceeded'],
  ])('wait and ask once more after %i %s', async (status, reason) => {
    const answers = refuse(status, reason, { 'retry-after': '0.1' });
    google.inject({ on: 'freebusy', does: false, answers });
    expect(await starts()).toHaveLength(4);
  });

  it('do not keep a person waiting for a long Retry-After', async () => {
    const answers = refuse(429, 'rateLimitExceeded', { 'retry-after': '60' });
    google.inject({ on: 'freebusy', does: false, answers });
    expect(await starts()).toBe('too_many_requests');
  });
});

describe('access', () => {
  it('uses one token for many requests', async () => {
    await starts();
    await starts();
    expect(count('token')).toBe(1);
  });

  it('renews a token that ended before its time', async () => {
    await starts();
    google.expireTokens();
    expect(await starts()).toHaveLength(4);
    expect(count('token')).toBe(2);
  });

  it('that the person took back is told as such, and books nothing', async () => {
    google.revoke();
    expect(await starts()).toBe('access_revoked');
    expect(await calendar.book(bookingAt(ten))).toEqual({
      kind: 'refused',
      problem: 'access_revoked',
    });
  });

  it('is that of a service account just as well', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    google.addServiceAccount('calls@example.com', publicKey);
    calendar = open({ client_email: 'calls@example.com', private_key: privateKey });
    expect(await calendar.book(bookingAt(ten))).toMatchObject({ kind: 'booked' });
  });

  it('without the right to write is told as such', async () => {
    const answers = refuse(403, 'requiredAccessLevel');
    google.inject({ on: 'insert', does: false, answers, times: 2 });
    expect(await calendar.book(bookingAt(ten))).toEqual({
      kind: 'refused',
      problem: 'access_revoked',
    });
  });
});

describe('a booking', () => {
  it('is an event with who comes and how to reach them', async () => {
    const booked = await calendar.book(bookingAt(ten));
    expect(booked).toEqual({ kind: 'booked', calendarEventId: eventId('cal_one') });
    expect(google.standing()).toMatchObject([
      {
        summary: 'Summit Roofing: Dana',
        description: expect.stringContaining('+12125550101') as string,
        start: { dateTime: ten, timeZone: 'America/New_York' },
        end: { dateTime: eleven },
        extendedProperties: { private: { appointment_id: 'cal_one', order_id: 'ord_one' } },
      },
    ]);
  });

  it('repeated is the same event', async () => {
    const first = await calendar.book(bookingAt(ten));
    expect(await calendar.book(bookingAt(ten))).toEqual(first);
    expect(google.events.size).toBe(1);
  });

  it('of a busy time is taken, and nothing is inserted', async () => {
    event('visit', ten, eleven);
    expect(await calendar.book(bookingAt(ten))).toEqual({ kind: 'taken' });
    expect(count('insert')).toBe(0);
  });

  it('gives way to an event that came in between', async () => {
    google.inject({
      on: 'insert',
      does: false,
      answers: refuse(503, 'backendError'),
      meanwhile: () => void event('visit', '2026-11-24T15:30:00Z', '2026-11-24T16:30:00Z'),
    });
    expect(await calendar.book(bookingAt(ten))).toEqual({ kind: 'taken' });
    expect(google.standing().map(({ id }) => id)).toEqual(['visit']);
  });

  it('stands against an event that came later', async () => {
    google.inject({
      on: 'list',
      does: false,
      answers: refuse(500, 'backendError'),
      meanwhile: () => void event('visit', ten, eleven),
    });
    expect(await calendar.book(bookingAt(ten))).toMatchObject({ kind: 'booked' });
  });

  it.each([
    ['an error', refuse(500, 'backendError')],
    ['silence', 'silence'],
    ['a broken connection', 'hang_up'],
    ['"already exists"', refuse(409, 'duplicate')],
  ] as const)('that came through and was answered with %s is found', async (_name, answers) => {
    google.inject({ on: 'insert', does: true, answers });
    expect(await calendar.book(bookingAt(ten))).toMatchObject({ kind: 'booked' });
    expect(google.standing()).toHaveLength(1);
    expect(count('insert')).toBe(1);
  });

  it('that did not come through is sent again after a look, once', async () => {
    google.inject({ on: 'insert', does: false, answers: refuse(500, 'backendError') });
    expect(await calendar.book(bookingAt(ten))).toMatchObject({ kind: 'booked' });
    expect(google.seen.filter((seen) => seen !== 'token' && seen !== 'freebusy')).toEqual([
      'insert',
      'get',
      'insert',
      'list',
    ]);
  });

  it('is unknown, not booked, while it cannot be looked up', async () => {
    google.inject({ on: 'insert', does: true, answers: 'silence' });
    google.inject({ on: 'get', does: false, answers: refuse(500, 'backendError') });
    expect(await calendar.book(bookingAt(ten))).toEqual({ kind: 'unknown' });
    expect(await calendar.find(bookingAt(ten))).toEqual({
      kind: 'found',
      calendarEventId: eventId('cal_one'),
    });
  });

  it('whose event somebody deleted is not made again under the same id', async () => {
    await calendar.book(bookingAt(ten));
    await calendar.cancel(eventId('cal_one'));
    expect(await calendar.find(bookingAt(ten))).toEqual({ kind: 'absent' });
    expect(await calendar.book(bookingAt(ten))).toEqual({ kind: 'taken' });
  });
});

describe('cancelling', () => {
  it('may be repeated, also for an event that is not there', async () => {
    await calendar.book(bookingAt(ten));
    expect(await calendar.cancel(eventId('cal_one'))).toBe('cancelled');
    expect(await calendar.cancel(eventId('cal_one'))).toBe('cancelled');
    expect(await calendar.cancel('nothing')).toBe('cancelled');
  });

  it('is not believed without an answer', async () => {
    google.inject({ on: 'delete', does: false, answers: 'hang_up' });
    expect(await calendar.cancel(eventId('cal_one'))).toBe('unknown');
  });
});
