import { expect, it } from 'vitest';
import { openStarts } from '../../adapters/calendars/open-starts.ts';

const weekdays = [null, ...Array.from({ length: 5 }, () => ['09:00', '17:00'] as const), null];
const hours = { timezone: 'America/New_York', openingHours: weekdays };
const starts = (from: string, to: string) =>
  [...openStarts(hours, new Date(from), new Date(to), 60)].map((start) => start.toISOString());

it('offers full hours inside the opening hours of the zone', () => {
  const [first, ...rest] = starts('2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z');
  expect(first).toBe('2026-11-23T14:00:00.000Z');
  expect(rest.at(-1)).toBe('2026-11-23T21:00:00.000Z');
});

it('offers nothing on a closed day', () => {
  expect(starts('2026-11-21T12:00:00Z', '2026-11-22T23:00:00Z')).toEqual([]);
});

it('keeps local opening hours over a daylight-saving change', () => {
  expect(starts('2027-03-12T12:00:00Z', '2027-03-12T14:30:00Z')).toEqual([
    '2027-03-12T14:00:00.000Z',
  ]);
  expect(starts('2027-03-15T12:00:00Z', '2027-03-15T13:30:00Z')).toEqual([
    '2027-03-15T13:00:00.000Z',
  ]);
});
