// Calling hours: every class of state, every zone of a number, both changes of the clocks, no minute missed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialCapOf } from '../../domain/calling-hours/dial-cap.ts';
import { nextLegalMinute, type AgentHours } from '../../domain/calling-hours/next-legal-minute.ts';
import { holidaysOf } from '../../domain/calling-hours/holidays.ts';
import { weeklyTimetable } from '../../domain/calling-hours/timetable.ts';
import { readDayHours } from '../../domain/calling-hours/weekly-hours.ts';
import { offsetsOf } from '../../domain/calling-hours/zone-offsets.ts';
import { areaCodesOf, isLegal, localHour } from '../support/calling-hours.ts';

const numberIn = (areaCode: string) => `+1${areaCode}5550123`;
const next = (areaCode: string, from: string, agentHours: AgentHours = null) =>
  nextLegalMinute(numberIn(areaCode), agentHours, new Date(from));

/** The same hours on every day. */
const everyDay = (from: string, until: string) =>
  Array.from({ length: 7 }, () => [from, until] as const);

describe('the next legal minute', () => {
  // 2026-11-22 is a Sunday.
  it.each([
    ['NY, open', '212', '2026-11-23T17:00:00Z', '2026-11-23T17:00:00Z', null],
    ['NY, the last second', '212', '2026-11-24T01:59:59Z', '2026-11-24T01:59:59Z', null],
    ['NY, at nine', '212', '2026-11-24T02:00:00Z', '2026-11-24T13:00:00Z', 'federal_hours'],
    ['NY, a Sunday', '212', '2026-11-22T17:00:00Z', '2026-11-22T17:00:00Z', null],
    ['FL, at eight', '305', '2026-11-24T01:00:00Z', '2026-11-24T13:00:00Z', 'state_hours'],
    ['FL, two zones', '850', '2026-11-23T13:30:00Z', '2026-11-23T14:00:00Z', 'state_hours'],
    ['AL, a Sunday', '205', '2026-11-22T18:30:00Z', '2026-11-23T14:00:00Z', 'sunday'],
    ['AL, Saturday evening', '205', '2026-11-22T02:30:00Z', '2026-11-23T14:00:00Z', 'state_hours'],
    ['AL, Thanksgiving', '205', '2026-11-26T18:00:00Z', '2026-11-27T14:00:00Z', 'holiday'],
    ['LA, the day after it', '504', '2026-11-27T18:00:00Z', '2026-11-28T14:00:00Z', 'holiday'],
    ['TX, Sunday morning', '214', '2026-11-22T16:00:00Z', '2026-11-22T18:00:00Z', 'state_hours'],
    ['KY, morning', '502', '2026-11-23T14:00:00Z', '2026-11-23T15:00:00Z', 'state_hours'],
    ['CA, artificial voice', '213', '2026-11-23T16:30:00Z', '2026-11-23T17:00:00Z', 'state_hours'],
    ['NE, a holiday', '402', '2026-11-26T16:00:00Z', '2026-11-26T19:00:00Z', 'holiday'],
    ['ME, Friday evening', '207', '2026-11-20T22:00:00Z', '2026-11-23T14:00:00Z', 'state_hours'],
    ['SD, a Saturday', '605', '2026-11-21T18:00:00Z', '2026-11-23T16:00:00Z', 'state_hours'],
    ['UT, Pioneer Day observed', '801', '2027-07-23T18:00:00Z', '2027-07-26T14:00:00Z', 'holiday'],
    ['RI, Saturday morning', '401', '2026-11-21T14:30:00Z', '2026-11-21T15:00:00Z', 'state_hours'],
    ['AZ keeps its clock', '602', '2027-07-01T14:30:00Z', '2027-07-01T15:00:00Z', 'federal_hours'],
    ['AZ with the Navajo', '928', '2027-07-02T03:30:00Z', '2027-07-02T15:00:00Z', 'federal_hours'],
    ['AK with Adak', '907', '2026-11-23T17:30:00Z', '2026-11-23T18:00:00Z', 'federal_hours'],
    ['HI', '808', '2026-11-23T07:30:00Z', '2026-11-23T18:00:00Z', 'federal_hours'],
  ])('%s', (_name, areaCode, from, at, rule) => {
    const found = next(areaCode, from);
    expect(found?.at.toISOString()).toBe(new Date(at).toISOString());
    expect(found?.why?.rule ?? null).toBe(rule);
  });

  it('names the zone that closes and until when', () => {
    expect(next('850', '2026-11-23T13:30:00Z')?.why).toEqual({
      rule: 'state_hours',
      timeZone: 'America/Chicago',
      until: new Date('2026-11-23T14:00:00Z'),
    });
  });

  it('is none when a holiday joins a weekend: Alabama before Christmas 2027', () => {
    expect(next('205', '2027-12-24T02:30:00Z')).toBeNull();
    expect(next('212', '2027-12-24T02:30:00Z')?.at).toEqual(new Date('2027-12-24T13:00:00Z'));
    // Within 72 hours of the opening it is found again.
    expect(next('205', '2027-12-24T14:00:00Z')?.at).toEqual(new Date('2027-12-27T14:00:00Z'));
  });

  it('is none for numbers that are not called', () => {
    for (const phone of ['+442071838750', '+14165550123', '+18005550123', '', '+1212'])
      expect(nextLegalMinute(phone, null, new Date('2026-11-23T17:00:00Z'))).toBeNull();
  });
});

describe("the agent's own hours", () => {
  const weekdays: AgentHours = [null, ...everyDay('09:00', '17:00').slice(0, 5), null];

  it('narrow the window in the local time of the lead', () => {
    expect(next('213', '2026-11-23T17:00:00Z', weekdays)?.why).toBeNull();
    expect(next('213', '2026-11-24T01:00:00Z', weekdays)).toMatchObject({
      at: new Date('2026-11-24T17:00:00Z'),
      why: { rule: 'agent_hours', timeZone: 'America/Los_Angeles' },
    });
  });

  it('that never meet the law are never', () => {
    expect(next('606', '2026-11-23T14:00:00Z', everyDay('07:00', '09:00'))).toBeNull();
  });

  it('never widen the law', () => {
    const always = everyDay('00:00', '24:00');
    expect(next('212', '2026-11-24T02:00:00Z', always)).toEqual(
      next('212', '2026-11-24T02:00:00Z'),
    );
  });

  it.each([
    ['25:00', '26:00'],
    ['9', '17'],
    ['17:00', '09:00'],
    ['', ''],
  ])('that cannot be read (%j to %j) are closed', (from, until) => {
    expect(next('212', '2026-11-23T17:00:00Z', everyDay(from, until))).toBeNull();
  });
});

describe('hours that a change of the clocks skips or repeats', () => {
  const zone = offsetsOf('America/New_York');
  const night = readDayHours(['01:30', '02:30']);
  const table = weeklyTimetable(
    'agent_hours',
    zone,
    Array.from({ length: 7 }, () => night),
  );
  const opensAt = (from: string) =>
    new Date(table.opensAt(Date.parse(from), Date.parse('2028-01-01T00:00:00Z'))).toISOString();

  it.each([
    ['before the gap', '2027-03-14T06:00:00Z', '2027-03-14T06:30:00.000Z'],
    ['the gap closes it early', '2027-03-14T07:00:00Z', '2027-03-15T05:30:00.000Z'],
    ['before the repeated hour', '2027-11-07T05:00:00Z', '2027-11-07T05:30:00.000Z'],
    ['its second round closes', '2027-11-07T06:00:00Z', '2027-11-07T06:30:00.000Z'],
    ['and opens until 02:30', '2027-11-07T07:29:00Z', '2027-11-07T07:29:00.000Z'],
    ['and closes', '2027-11-07T07:30:00Z', '2027-11-08T06:30:00.000Z'],
  ])('%s', (_name, from, at) => expect(opensAt(from)).toBe(at));
});

const moment = fc.date({
  min: new Date('2026-11-01T00:00:00Z'),
  max: new Date('2028-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const clockTime = fc
  .integer({ min: 0, max: 24 * 4 })
  .map(
    (q) => `${String(Math.floor(q / 4)).padStart(2, '0')}:${String((q % 4) * 15).padStart(2, '0')}`,
  );
const agentWeek = fc.option(
  fc.array(fc.option(fc.tuple(clockTime, clockTime)), { minLength: 7, maxLength: 7 }),
  { freq: 2 },
);

describe('for any number, agent and instant', () => {
  it('the minute is legal in every zone, and none before it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...areaCodesOf()), agentWeek, moment, (areaCode, hours, from) => {
        const found = nextLegalMinute(numberIn(areaCode), hours, from);
        const endMs = found?.at.getTime() ?? from.getTime() + 72 * 60 * 60 * 1000;
        if (found) expect(isLegal(areaCode, hours, found.at)).toBe(true);
        expect(found?.why === null).toBe(isLegal(areaCode, hours, from));
        const firstMinuteMs = Math.ceil(from.getTime() / 900_000) * 900_000;
        for (let ms = firstMinuteMs; ms < endMs; ms += 900_000)
          if (isLegal(areaCode, hours, new Date(ms))) expect.fail(`${ms} is legal and earlier`);
      }),
      { numRuns: 150 },
    );
  });

  it('what closes ends no later than the minute, and is closed until then', () => {
    fc.assert(
      fc.property(fc.constantFrom(...areaCodesOf()), moment, (areaCode, from) => {
        const found = nextLegalMinute(numberIn(areaCode), null, from);
        if (!found?.why) return;
        expect(found.why.until.getTime()).toBeGreaterThan(from.getTime());
        expect(found.why.until.getTime()).toBeLessThanOrEqual(found.at.getTime());
        const again = nextLegalMinute(numberIn(areaCode), null, found.at);
        expect(again).toEqual({ at: found.at, why: null });
      }),
    );
  });
});

it('rings nobody before eight or from nine on, over a whole year with both changes of the clocks', () => {
  const stepMs = 29 * 60_000;
  const wrong: string[] = [];
  const endMs = Date.parse('2027-11-30T00:00:00Z');
  for (const [areaCode, zones] of [
    ['212', ['America/New_York']],
    ['208', ['America/Denver', 'America/Los_Angeles']],
    ['928', ['America/Phoenix', 'America/Denver']],
    ['907', ['America/Anchorage', 'America/Adak']],
  ] as const)
    for (let ms = Date.parse('2026-11-23T00:00:00Z'); ms < endMs; ms += stepMs) {
      const at = new Date(ms);
      const hours = zones.map((zone) => localHour(zone, at));
      const legal = hours.every((hour) => hour >= 8 && hour < 21);
      if ((nextLegalMinute(numberIn(areaCode), null, at)?.why === null) !== legal)
        wrong.push(`${areaCode} at ${at.toISOString()}`);
    }
  expect(wrong).toEqual([]);
});

it('agrees with a wall clock over a whole year in every class of state', () => {
  const stepMs = 31 * 60_000;
  const endMs = Date.parse('2027-11-30T00:00:00Z');
  const wrong: string[] = [];
  for (const areaCode of ['205', '213', '214', '401', '402', '502', '605', '801', '850'])
    for (let ms = Date.parse('2026-11-23T00:00:00Z'); ms < endMs; ms += stepMs) {
      const at = new Date(ms);
      const isOpen = nextLegalMinute(numberIn(areaCode), null, at)?.why === null;
      if (isOpen !== isLegal(areaCode, null, at)) wrong.push(`${areaCode} at ${at.toISOString()}`);
    }
  expect(wrong).toEqual([]);
});

describe('holidays', () => {
  const days = (state: string, year: number) =>
    new Set(holidaysOf(state, year).map((date) => date.toString()));

  it.each([
    ['AL', 2027, ['2027-01-01', '2027-02-09', '2027-04-26', '2027-06-07', '2027-06-18']],
    ['AL', 2027, ['2027-07-05', '2027-12-01', '2027-12-24', '2027-12-25', '2027-12-31']],
    ['LA', 2026, ['2026-02-17', '2026-04-03', '2026-08-30', '2026-11-01', '2026-11-27']],
    ['PA', 2026, ['2026-06-14', '2026-11-03', '2026-04-03', '2026-01-19', '2026-05-25']],
    ['RI', 2026, ['2026-08-10', '2026-05-04', '2026-07-04', '2026-07-06', '2026-11-03']],
    ['UT', 2027, ['2027-07-23', '2027-07-24', '2027-02-15', '2027-09-06', '2027-10-11']],
  ])('%s %i', (state, year, expected) => {
    expect([...days(state, year)]).toEqual(expect.arrayContaining(expected));
  });

  it('Rhode Island keeps a Saturday holiday on Monday, and not on Friday', () => {
    expect(days('RI', 2026).has('2026-07-03')).toBe(false);
  });
});

describe('the daily cap', () => {
  it('is three dials in 24 hours, and one in 8 hours for Maine', () => {
    expect(dialCapOf(numberIn('212'))).toEqual({ count: 3, periodHours: 24 });
    expect(dialCapOf(numberIn('305'))).toEqual({ count: 3, periodHours: 24 });
    expect(dialCapOf(numberIn('207'))).toEqual({ count: 1, periodHours: 8 });
    expect(dialCapOf('+442071838750')).toEqual({ count: 3, periodHours: 24 });
  });
});
