import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFree } from '../../domain/calls/calendar.ts';
import { openStarts, type OpeningHours } from '../../domain/calls/open-slots.ts';

const weekdays = [null, ...Array.from({ length: 5 }, () => ['09:00', '17:00'] as const), null];
const office = { timezone: 'America/New_York', openingHours: weekdays, startEveryMinutes: 60 };
const nights = {
  ...office,
  openingHours: Array.from({ length: 7 }, () => ['00:00', '04:00'] as const),
};
const starts = (from: string, to: string, hours: OpeningHours = office, minutes = 60) =>
  [...openStarts(hours, { from: new Date(from), to: new Date(to) }, minutes)].map((start) =>
    start.toISOString(),
  );

describe('opening hours', () => {
  it('offers starts inside the opening hours of the zone', () => {
    const [first, ...rest] = starts('2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z');
    expect(first).toBe('2026-11-23T14:00:00.000Z');
    expect(rest.at(-1)).toBe('2026-11-23T21:00:00.000Z');
  });

  it('offers nothing on a closed day', () => {
    expect(starts('2026-11-21T12:00:00Z', '2026-11-22T23:00:00Z')).toEqual([]);
  });

  it('counts starts from the opening, in zones of half hours too', () => {
    const hours = { ...office, timezone: 'Asia/Kolkata', startEveryMinutes: 90 };
    expect(starts('2026-11-23T00:00:00Z', '2026-11-23T07:00:00Z', hours)).toEqual([
      '2026-11-23T03:30:00.000Z',
      '2026-11-23T05:00:00.000Z',
      '2026-11-23T06:30:00.000Z',
    ]);
  });

  it('lets an appointment end by closing time', () => {
    const late = starts('2026-11-23T19:00:00Z', '2026-11-24T00:00:00Z', office, 120);
    expect(late.at(-1)).toBe('2026-11-23T20:00:00.000Z');
  });

  it('keeps local opening hours over both daylight-saving changes', () => {
    const firstOf = (day: string) => starts(`${day}T05:00:00Z`, `${day}T23:00:00Z`)[0];
    expect(firstOf('2027-03-12')).toBe('2027-03-12T14:00:00.000Z');
    expect(firstOf('2027-03-15')).toBe('2027-03-15T13:00:00.000Z');
    expect(firstOf('2026-10-30')).toBe('2026-10-30T13:00:00.000Z');
    expect(firstOf('2026-11-02')).toBe('2026-11-02T14:00:00.000Z');
  });

  it('offers no hour that the clocks skip', () => {
    expect(starts('2027-03-14T04:00:00Z', '2027-03-14T12:00:00Z', nights)).toEqual([
      '2027-03-14T05:00:00.000Z',
      '2027-03-14T06:00:00.000Z',
      '2027-03-14T07:00:00.000Z',
    ]);
  });

  it('offers an hour that the clocks repeat twice', () => {
    expect(starts('2026-11-01T03:59:00Z', '2026-11-01T12:00:00Z', nights)).toHaveLength(5);
  });
});

const zones = [
  'America/New_York',
  'America/Los_Angeles',
  'America/Phoenix',
  'Pacific/Honolulu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Europe/London',
];

it('holds in every zone on every day: open, soonest first, inside the window, never twice', () => {
  const window = fc.tuple(
    fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }),
    fc.integer({ min: 1, max: 20 }),
  );
  const minutes = fc.integer({ min: 5, max: 480 });
  fc.assert(
    fc.property(window, fc.constantFrom(...zones), minutes, ([from, days], timezone, length) => {
      const to = new Date(from.getTime() + days * 86_400_000);
      const found = [...openStarts({ ...office, timezone }, { from, to }, length)];
      const clock = new Intl.DateTimeFormat('en-GB', {
        timeZone: timezone,
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
      });
      for (const [index, start] of found.entries()) {
        expect(start.getTime()).toBeGreaterThanOrEqual(from.getTime());
        expect(start.getTime()).toBeLessThanOrEqual(to.getTime());
        expect(start.getTime()).toBeGreaterThan(found[index - 1]?.getTime() ?? 0);
        const [day = '', time = ''] = clock.format(start).replace(',', '').split(' ');
        const [endDay, endTime = ''] = clock
          .format(new Date(start.getTime() + length * 60_000))
          .replace(',', '')
          .split(' ');
        expect(['Sat', 'Sun']).not.toContain(day);
        expect(time >= '09:00' && endTime <= '17:00' && endDay === day).toBe(true);
      }
    }),
  );
});

it('keeps the minutes around an appointment free as well', () => {
  const start = new Date('2026-11-23T15:00:00Z');
  const busy = (from: string, to: string) => [
    { startMs: Date.parse(`2026-11-23T${from}Z`), endMs: Date.parse(`2026-11-23T${to}Z`) },
  ];
  const query = { minutes: 60, bufferBeforeMinutes: 10, bufferAfterMinutes: 15 };
  expect(isFree(start, query, busy('14:00', '14:50'))).toBe(true);
  expect(isFree(start, query, busy('14:00', '14:51'))).toBe(false);
  expect(isFree(start, query, busy('16:15', '17:00'))).toBe(true);
  expect(isFree(start, query, busy('16:14', '17:00'))).toBe(false);
});
