import { describe, expect, it } from 'vitest';
import {
  eventId,
  isRival,
  type GoogleEvent,
} from '../../adapters/calendars/google/google-event.ts';
import { eleven, ten } from '../support/calendar-requests.ts';

const zone = 'America/New_York';
const ours: GoogleEvent = {
  id: 'ours',
  created: '2026-11-23T15:00:00Z',
  start: { dateTime: ten },
  end: { dateTime: eleven },
};
const earlier = { ...ours, id: 'theirs', created: '2026-11-23T14:00:00Z' };

it('ids are made of what Google allows', () => {
  expect(eventId('cal_01zzz')).toMatch(/^[a-v0-9]{5,1024}$/);
  expect(eventId('cal_01zzz')).not.toBe(eventId('cal_01zzy'));
});

describe('an event stands in the way of ours', () => {
  it.each([
    ['that was there first', earlier, true],
    ['unless it came later', { ...earlier, created: '2026-11-23T16:00:00Z' }, false],
    ['unless it only touches ours', { ...earlier, end: { dateTime: ten } }, false],
    ['unless it was cancelled', { ...earlier, status: 'cancelled' }, false],
    ['unless it is shown as free', { ...earlier, transparency: 'transparent' }, false],
    [
      'unless it was declined',
      { ...earlier, attendees: [{ self: true, responseStatus: 'declined' }] },
      false,
    ],
    [
      'when it takes the whole day of the zone',
      { ...earlier, start: { date: '2026-11-24' }, end: { date: '2026-11-25' } },
      true,
    ],
    [
      'unless its day is another one in the zone',
      { ...earlier, start: { date: '2026-11-25' }, end: { date: '2026-11-26' } },
      false,
    ],
    ['when nobody knows since when it stands', { ...earlier, created: null }, true],
  ])('%s', (_name, event, expected) => {
    expect(isRival(event, ours, zone)).toBe(expected);
  });

  it('of two made in the same moment exactly one gives way', () => {
    const twin = { ...ours, id: 'twin' };
    expect(isRival(twin, ours, zone)).not.toBe(isRival(ours, twin, zone));
  });
});
