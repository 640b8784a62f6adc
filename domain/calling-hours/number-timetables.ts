// Which rules hold for a number: those of every zone of its area code and of its state. Pure.
import areaCodeTable from '../leads/data/us-area-codes.json' with { type: 'json' };
import { readNanpNumber } from '../leads/phone-number.ts';
import callingRuleTable from './data/calling-rules.json' with { type: 'json' };
import type { ClockHours } from './clock-hours.ts';
import { CallingRules } from './rule-tables.ts';
import { emergencyTimetable, weeklyTimetable, type Timetable } from './timetable.ts';
import { readDayHours, readWeek, type WeekHours } from './weekly-hours.ts';
import { offsetsOf } from './zone-offsets.ts';

const rules = CallingRules.parse(callingRuleTable);
const federalWeek = readWeek(rules.federal);

interface AreaCode {
  readonly states: readonly string[];
  readonly zones: readonly string[];
}

const areaCodes: ReadonlyMap<string, AreaCode> = new Map(Object.entries(areaCodeTable.area_codes));
const timetables = new Map<string, readonly Timetable[]>();

/** State and zones of a US number by its area code: portable numbers tell no more. Null for any other number. */
export function areaOf(phone: string): AreaCode | null {
  const number = readNanpNumber(phone);
  return (number && areaCodes.get(number.areaCode)) ?? null;
}

/** The rows of its states, those for artificial voices with them. */
export function stateRowsOf(area: AreaCode) {
  return area.states.map((state) => {
    const row = rules.states[state];
    if (!row) throw new Error(`The calling rules of ${state} are in no table.`);
    return { state, row };
  });
}

/**
 * All of them must be open for a dial; the stricter law comes first. Null for a number that is not called at all.
 */
export function timetablesOf(phone: string): readonly Timetable[] | null {
  const area = areaOf(phone);
  if (!area) return null;
  const key = [...area.states, ...area.zones].join(' ');
  let known = timetables.get(key);
  if (!known) {
    known = [...stateTimetables(area), ...inEveryZone(area, 'federal_hours', federalWeek)];
    timetables.set(key, known);
  }
  return known;
}

/** The agent's own hours count in the time of the lead, like every other rule. */
export function agentTimetables(phone: string, hours: readonly ClockHours[]): Timetable[] {
  const area = areaOf(phone);
  return area ? inEveryZone(area, 'agent_hours', hours.map(readDayHours)) : [];
}

function stateTimetables(area: AreaCode): Timetable[] {
  return stateRowsOf(area).flatMap(({ state, row }) => [
    ...emergencies(state, area),
    ...inEveryZone(area, 'state_hours', readWeek(row), row.holidays_closed ? state : null),
    ...(row.automated ? automatedTimetables(state, area, row.automated) : []),
  ]);
}

type Automated = NonNullable<CallingRules['states'][string]['automated']>;

function automatedTimetables(state: string, area: AreaCode, row: Automated): Timetable[] {
  const holidayState = row.holiday === undefined ? null : state;
  return inEveryZone(area, 'state_hours', readWeek(row), holidayState, row.holiday);
}

function inEveryZone(
  area: AreaCode,
  rule: 'federal_hours' | 'state_hours' | 'agent_hours',
  week: WeekHours,
  holidayState: string | null = null,
  holidayHours: ClockHours = null,
): Timetable[] {
  // A state that only repeats federal law closes nothing of its own.
  if (rule === 'state_hours' && !holidayState && isSameWeek(week, federalWeek)) return [];
  const holidays = holidayState ? { state: holidayState, hours: readDayHours(holidayHours) } : null;
  return area.zones.map((zone) => weeklyTimetable(rule, offsetsOf(zone), week, holidays));
}

function emergencies(state: string, area: AreaCode): Timetable[] {
  return rules.emergencies
    .filter((emergency) => emergency.state === state)
    .map(({ from, until }) =>
      emergencyTimetable(area.zones[0] ?? 'UTC', Date.parse(from), Date.parse(until)),
    );
}

function isSameWeek(left: WeekHours, right: WeekHours): boolean {
  return left.every((hours, weekday) => {
    const other = right[weekday] ?? null;
    return hours?.fromMinute === other?.fromMinute && hours?.untilMinute === other?.untilMinute;
  });
}
