// The Cal.com adapter against the documented protocol and its faults.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCalComCalendars } from '../../adapters/calendars/cal-com/cal-com-calendar.ts';
import type { Calendar } from '../../domain/calls/calendar.ts';
import { systemClock } from '../../platform/clock.ts';
import { bookingAt, slotQuery, ten } from '../support/calendar-requests.ts';
import {
  calComCredentials,
  calComSettings,
  fail,
  startCalComServer,
  type CalComServer,
} from '../support/cal-com-server.ts';

let calCom: CalComServer;
let calendar: Calendar;

beforeEach(async () => {
  calCom = await startCalComServer();
  calendar = createCalComCalendars({
    baseUrl: calCom.url,
    clock: systemClock(),
    requestTimeoutMs: 400,
  })({
    kind: 'cal_com',
    settings: calComSettings,
    credentials: JSON.stringify(calComCredentials),
  });
});
afterEach(() => calCom.close());

const starts = async () => {
  const free = await calendar.freeSlots(slotQuery);
  if (free.kind === 'unavailable') return free.problem;
  return free.slots.map(({ startTime, minutes }) => `${startTime.slice(11, 16)} ${minutes}`);
};
const count = (operation: string) => calCom.seen.filter((seen) => seen === operation).length;

describe('free times', () => {
  it('are those of the event type, in its length, inside the window', async () => {
    calCom.keepBooking(ten, {}, {});
    expect(await starts()).toEqual(['16:00 60', '17:00 60', '18:00 60']);
  });

  it('survive one stumble, and are unavailable after two', async () => {
    calCom.inject({ on: 'slots', does: false, answers: fail(502, 'bad gateway') });
    expect(await starts()).toHaveLength(4);
    calCom.inject({ on: 'slots', does: false, answers: fail(502, 'bad gateway'), times: 2 });
    expect(await starts()).toBe('unreachable');
  });

  it.each(['silence', 'hang_up'] as const)('are unavailable after %s', async (answers) => {
    calCom.inject({ on: 'slots', does: false, answers });
    expect(await starts()).toBe('unreachable');
  });

  it('wait for a short Retry-After and not for a long one', async () => {
    const tooMany = (seconds: string) => fail(429, 'Too many', { 'retry-after': seconds });
    calCom.inject({ on: 'slots', does: false, answers: tooMany('0.1') });
    expect(await starts()).toHaveLength(4);
    calCom.inject({ on: 'slots', does: false, answers: tooMany('30') });
    expect(await starts()).toBe('too_many_requests');
  });

  it('tell of a key that was revoked, and of an answer that cannot be read', async () => {
    const answers = { status: 200, body: { status: 'success', data: { bookings: [] } } };
    calCom.inject({ on: 'slots', does: false, answers: { status: 200, body: 'hello' } });
    expect(await starts()).toBe('unreachable');
    calCom.inject({ on: 'slots', does: false, answers });
    expect(await starts()).toBe('rejected');
    calCom.revoke();
    expect(await starts()).toBe('access_revoked');
  });
});

describe('a booking', () => {
  it('carries who comes, how to reach them, and our id', async () => {
    const booked = await calendar.book(bookingAt(ten));
    expect(booked).toEqual({ kind: 'booked', calendarEventId: 'booking-1' });
    expect(calCom.standing()).toMatchObject([
      {
        start: ten,
        metadata: { appointment_id: 'cal_one', order_id: 'ord_one' },
        attendees: [{ name: 'Dana', email: 'leads@example.com', phoneNumber: '+12125550101' }],
      },
    ]);
  });

  it('repeated is the same', async () => {
    const first = await calendar.book(bookingAt(ten));
    expect(await calendar.book(bookingAt(ten))).toEqual(first);
    expect(calCom.bookings.size).toBe(1);
  });

  it('of a time that somebody else has is taken', async () => {
    calCom.keepBooking('2026-11-24T15:30:00.000Z', {}, {});
    expect(await calendar.book(bookingAt(ten))).toEqual({ kind: 'taken' });
  });

  it('is taken when somebody came just before', async () => {
    calCom.inject({
      on: 'book',
      does: true,
      answers: fail(400, 'User either already has booking at this time or is not available'),
      meanwhile: () => void calCom.keepBooking(ten, {}, {}),
    });
    expect(await calendar.book(bookingAt(ten))).toEqual({ kind: 'taken' });
    expect(calCom.standing()).toHaveLength(1);
  });

  it.each([
    ['an error', fail(500, 'Internal server error')],
    ['silence', 'silence'],
    ['a broken connection', 'hang_up'],
    ['what cannot be read', { status: 201, body: { status: 'success', data: {} } }],
  ] as const)('that came through and was answered with %s is found', async (_name, answers) => {
    calCom.inject({ on: 'book', does: true, answers });
    expect(await calendar.book(bookingAt(ten))).toMatchObject({ kind: 'booked' });
    expect(calCom.standing()).toHaveLength(1);
    expect(count('book')).toBe(1);
  });

  it('that failed is sent again after a look, once', async () => {
    calCom.inject({ on: 'book', does: false, answers: fail(500, 'Internal server error') });
    expect(await calendar.book(bookingAt(ten))).toMatchObject({ kind: 'booked' });
    expect(calCom.seen).toEqual(['book', 'list', 'book']);
  });

  it('that may still be under way is not sent again', async () => {
    calCom.inject({ on: 'book', does: false, answers: 'silence' });
    expect(await calendar.book(bookingAt(ten))).toEqual({ kind: 'unknown' });
    expect(count('book')).toBe(1);
    expect(await calendar.find(bookingAt(ten))).toEqual({ kind: 'absent' });
  });

  it('is unknown, not booked, while it cannot be looked up', async () => {
    calCom.inject({ on: 'book', does: true, answers: 'silence' });
    calCom.inject({ on: 'list', does: false, answers: fail(500, 'Internal server error') });
    expect(await calendar.book(bookingAt(ten))).toEqual({ kind: 'unknown' });
    expect(await calendar.find(bookingAt(ten))).toMatchObject({ kind: 'found' });
  });

  it('that waits for its host is none, and is taken back', async () => {
    calCom.eventType.asksHost = true;
    expect(await calendar.book(bookingAt(ten))).toEqual({ kind: 'refused', problem: 'rejected' });
    expect(calCom.standing()).toEqual([]);
  });
});

it('cancelling may be repeated, and is not believed without an answer', async () => {
  await calendar.book(bookingAt(ten));
  calCom.inject({ on: 'cancel', does: false, answers: 'hang_up' });
  expect(await calendar.cancel('booking-1')).toBe('unknown');
  expect(await calendar.cancel('booking-1')).toBe('cancelled');
  expect(await calendar.cancel('booking-1')).toBe('cancelled');
  expect(await calendar.cancel('nothing')).toBe('cancelled');
});
