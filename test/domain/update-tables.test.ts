// The tables of area codes and calling rules: what is shipped holds together, and an update refuses what does not.
import { describe, expect, it } from 'vitest';
import { buildAreaCodes, buildClasses } from '../../cli/update-tables/area-codes.ts';
import { checkTables } from '../../cli/update-tables/check-tables.ts';
import { compareTables } from '../../cli/update-tables/compare-tables.ts';
import { readNpaReport, type NpaRow } from '../../cli/update-tables/npa-report.ts';
import holidays from '../../domain/calling-hours/data/holidays.json' with { type: 'json' };
import rules from '../../domain/calling-hours/data/calling-rules.json' with { type: 'json' };
import areaCodeTable from '../../domain/leads/data/us-area-codes.json' with { type: 'json' };
import classTable from '../../domain/leads/data/nanp-classes.json' with { type: 'json' };
import type { AreaCodes, NanpClass } from '../../cli/update-tables/area-codes.ts';

const areaCodes: AreaCodes = areaCodeTable.area_codes;
const classes = classTable.npa as Record<string, NanpClass>;
const shipped = { areaCodes, classes, rules, holidays };

const columns = [
  'NPA_ID',
  'EXPLANATION',
  'RESERVED',
  'ASSIGNED',
  'USE',
  'LOCATION',
  'COUNTRY',
  'IN_SERVICE',
  'IN_SERVICE_DT',
  'OVERLAY_COMPLEX',
  'SERVICE',
  'TIME_ZONE',
] as const;

/** A report that says of the 50 states what the table says; the other codes are unassigned in it. */
function reportOf(change: Readonly<Record<string, Partial<NpaRow>>> = {}): string {
  const lines = Object.keys(classes).map((code) => {
    const row = { ...rowOf(code), ...change[code] };
    return columns.map((column) => `"${(row[column] ?? '').replaceAll('"', '""')}"`).join(',');
  });
  return ['File Date,02/01/2027', columns.join(','), ...lines, ''].join('\r\n');
}

function rowOf(code: string): Partial<NpaRow> {
  const known = areaCodes[code];
  if (!known) return { NPA_ID: code, ASSIGNED: 'No', RESERVED: 'No' };
  return {
    NPA_ID: code,
    ASSIGNED: 'Yes',
    USE: 'G',
    LOCATION: known.states[0] ?? '',
    COUNTRY: 'US',
    IN_SERVICE: known.in_service ? 'Y' : 'N',
    IN_SERVICE_DT: known.in_service_date ? writtenDate(known.in_service_date) : '',
    OVERLAY_COMPLEX: known.overlay.length > 1 ? known.overlay.join('/') : '',
    TIME_ZONE: known.nanpa_time_zone,
  };
}

function writtenDate(iso: string): string {
  const name = new Date(iso).toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  return `${iso.slice(8)}-${name}-${iso.slice(0, 4)}`;
}

const rebuilt = (change: Parameters<typeof reportOf>[0] = {}) =>
  buildAreaCodes(readNpaReport(reportOf(change)), areaCodes);

it('what is shipped passes every check', () => {
  expect(checkTables(shipped)).toEqual([]);
});

describe('a new report', () => {
  it('that says the same changes nothing', () => {
    expect(compareTables(areaCodes, rebuilt())).toEqual([]);
  });

  it('adds a code with the zones of its overlay, whatever its own letter says', () => {
    const change = {
      221: {
        ...rowOf('208'),
        NPA_ID: '221',
        OVERLAY_COMPLEX: '208/986/221',
        TIME_ZONE: 'P',
        IN_SERVICE: 'N',
        IN_SERVICE_DT: '01-Mar-2027',
      },
    };
    expect(rebuilt(change)['221']).toMatchObject({
      states: ['ID'],
      zones: expect.arrayContaining(['America/Los_Angeles', 'America/Denver']),
      in_service: false,
      in_service_date: '2027-03-01',
    });
    expect(buildClasses(readNpaReport(reportOf(change)))['221']).toEqual({
      class: 'us_state',
      error: null,
      detail: 'ID',
      in_service_date: '2027-03-01',
    });
    const changes = compareTables(areaCodes, rebuilt(change));
    expect(changes).toEqual([expect.stringContaining('+ 221: ')]);
  });

  it.each([
    ['a zone that nobody has read yet', { 212: { TIME_ZONE: 'E (mostly)' } }, '212'],
    ['no zone', { 212: { TIME_ZONE: '' } }, '212'],
    ['a date in another form', { 212: { IN_SERVICE_DT: '2027/01/01' } }, '2027/01/01'],
  ])('with %s is refused and names it', (_name, change, named) => {
    expect(() => rebuilt(change)).toThrow(named);
  });

  it('that was cut off, or is something else, is refused', () => {
    const whole = reportOf();
    const cut = whole.slice(0, whole.lastIndexOf('\r\n', whole.length / 2));
    expect(() => readNpaReport(cut)).toThrow('of 800 codes');
    expect(() => readNpaReport(cut.slice(0, -1))).toThrow('not CSV');
    expect(() => readNpaReport(whole.replace('TIME_ZONE', 'ZONE'))).toThrow('TIME_ZONE');
    expect(() => readNpaReport('<html></html>')).toThrow('file date');
  });
});

describe('an update is refused', () => {
  const alabama = rules.states.AL;

  it.each([
    ['a state without a row', { rules: { ...rules, states: { ...rules.states, AL: undefined } } }],
    ['hours that end before they begin', withAlabama({ ...alabama, weekday: ['20:00', '08:00'] })],
    ['hours that are no times', withAlabama({ ...alabama, weekday: ['8', '25:00'] })],
    ['no citation', withAlabama({ ...alabama, cite: '' })],
    [
      'a cap that is wider than three a day',
      withAlabama({ ...alabama, cap: { count: 4, hours: 24 } }),
    ],
    ['closed holidays without a list', { holidays: { ...holidays, states: {} } }],
    ['an accepted code without a state', { areaCodes: {} }],
    ['a state code that is not accepted', { classes: {} }],
  ])('for %s', (_name, change) => {
    expect(checkTables({ ...shipped, ...change })).not.toEqual([]);
  });

  function withAlabama(row: object) {
    return { rules: { ...rules, states: { ...rules.states, AL: row } } };
  }
});
