// A calendar that is slow or broken, as the tools of a live call meet it.
import { describe, expect, it } from 'vitest';
import type { BookingResult } from '../../domain/calls/call-desk.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/log.ts';
import { createCallCalendar } from '../../voice-gateway/call-calendar.ts';
import { createMemoryDesk, testSlots } from './support/memory-desk.ts';

const log = createLogger({ level: 'silent', process: 'test' });
const [slot = { startTime: '', minutes: 60 }] = testSlots;
const booked: BookingResult = {
  kind: 'booked',
  startTime: slot.startTime,
  calendarEventId: 'cal_test',
};

function slowCalendar() {
  const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
  const desk = createMemoryDesk('talk');
  const { promise, resolve, reject } = Promise.withResolvers<BookingResult>();
  desk.book = () => promise;
  const calendar = createCallCalendar({ brief: desk.brief, desk, clock, log });
  const reply = new AbortController();
  return { clock, calendar, resolve, reject, reply, tools: calendar.tools(reply.signal) };
}

describe('a booking that takes its time', () => {
  it('is kept when it comes within seven seconds', async () => {
    const { clock, calendar, resolve, tools } = slowCalendar();
    const result = tools.book(slot);
    await clock.turn(6_900);
    resolve(booked);
    expect(await result).toEqual(booked);
    expect(calendar.booking()).toMatchObject({ calendarEventId: 'cal_test' });
    expect(calendar.failed()).toBe(false);
  });

  it('is given up after that, and not believed when it comes later', async () => {
    const { clock, calendar, resolve, tools } = slowCalendar();
    const result = tools.book(slot);
    await clock.turn(7_000);
    expect(await result).toEqual({ kind: 'unavailable' });
    resolve(booked);
    await clock.turn(1_000);
    expect(calendar.booking()).toBeNull();
    expect(calendar.failed()).toBe(true);
  });

  it('counts after all when the person talked on and was told nothing', async () => {
    const { clock, calendar, resolve, reply, tools } = slowCalendar();
    const result = tools.book(slot);
    await clock.turn(5_000);
    reply.abort();
    await clock.turn(7_000);
    expect(await result).toEqual({ kind: 'unavailable' });
    resolve(booked);
    await clock.turn(1_000);
    expect(calendar.booking()).toMatchObject({ calendarEventId: 'cal_test' });
    expect(calendar.failed()).toBe(false);
  });

  it('keeps no later reply waiting as well', async () => {
    const { clock, calendar, tools } = slowCalendar();
    const result = tools.book(slot);
    await clock.turn(7_000);
    await result;
    const next = calendar.tools(new AbortController().signal);
    expect(await next.checkSlots(2)).toBe('unavailable');
    expect(await next.book(slot)).toEqual({ kind: 'unavailable' });
  });
});

it('a request that fails is no failure of the call', async () => {
  const { calendar, reject, tools } = slowCalendar();
  reject(new Error('the database is away'));
  expect(await tools.book(slot)).toEqual({ kind: 'unavailable' });
  expect(calendar.failed()).toBe(true);
  expect(await tools.checkSlots(1)).toHaveLength(1);
});
