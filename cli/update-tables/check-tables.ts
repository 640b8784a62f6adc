// What must hold between the tables, whoever made them. Pure.
import { readDayHours } from '../../domain/calling-hours/weekly-hours.ts';
import { CallingRules, Holidays } from '../../domain/calling-hours/rule-tables.ts';
import type { AreaCodes, NanpClass } from './area-codes.ts';

export interface Tables {
  readonly areaCodes: AreaCodes;
  readonly classes: Readonly<Record<string, NanpClass>>;
  readonly rules: unknown;
  readonly holidays: unknown;
}

/** One line per breach; empty when the tables may be shipped. */
export function checkTables(tables: Tables): string[] {
  const rules = CallingRules.safeParse(tables.rules);
  const holidays = Holidays.safeParse(tables.holidays);
  const problems = [...describe('calling-rules', rules), ...describe('holidays', holidays)];
  if (!rules.success || !holidays.success) return problems;
  return [
    ...problems,
    ...checkAreaCodes(tables, rules.data),
    ...checkRules(rules.data, holidays.data),
  ];
}

function describe(
  name: string,
  parsed: ReturnType<typeof CallingRules.safeParse> | ReturnType<typeof Holidays.safeParse>,
): string[] {
  return (parsed.error?.issues ?? []).map(
    ({ path, message }) => `${name}: ${path.join('.')}: ${message}`,
  );
}

function* checkAreaCodes({ areaCodes, classes }: Tables, rules: CallingRules) {
  const accepted = Object.keys(classes).filter((code) => classes[code]?.error === null);
  for (const code of accepted) if (!areaCodes[code]) yield `${code} is accepted without a state`;
  for (const [code, { states, zones }] of Object.entries(areaCodes)) {
    if (classes[code]?.error !== null) yield `${code} has a state and is not accepted`;
    if (states.length === 0 || zones.length === 0) yield `${code} has no state or no zone`;
    for (const state of states) if (!rules.states[state]) yield `${code}: ${state} has no row`;
    for (const zone of zones)
      if (!Intl.supportedValuesOf('timeZone').includes(zone)) yield `${code}: no zone ${zone}`;
  }
}

function* checkRules(rules: CallingRules, holidays: Holidays) {
  if (Object.keys(rules.states).length !== 51) yield 'calling-rules: not 50 states and DC';
  for (const [state, row] of Object.entries(rules.states)) {
    const needsHolidays = row.holidays_closed || row.automated?.holiday !== undefined;
    if (needsHolidays && !holidays.states[state]) yield `${state} has no holidays`;
    const days = [row.weekday, row.saturday, row.sunday];
    if (days.every((hours) => readDayHours(hours) === null)) yield `${state} is never open`;
    for (const cap of [row.cap, row.automated?.cap ?? null])
      // Otherwise keeping the state's cap would not keep the product's own three in 24 hours.
      if (cap && cap.count * Math.ceil(24 / cap.hours) > 3) yield `${state}: cap is too wide`;
  }
}
