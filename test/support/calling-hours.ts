// The calling rules read a second way: straight from the tables, by what a wall clock in the zone shows.
import areaCodeTable from '../../domain/leads/data/us-area-codes.json' with { type: 'json' };
import ruleTable from '../../domain/calling-hours/data/calling-rules.json' with { type: 'json' };
import { isHoliday } from '../../domain/calling-hours/holidays.ts';
import type { AgentHours } from '../../domain/calling-hours/next-legal-minute.ts';

type Hours = readonly string[] | null;
interface Row {
  readonly weekday: Hours;
  readonly saturday: Hours;
  readonly sunday: Hours;
  readonly holiday?: Hours;
}
interface StateRow extends Row {
  readonly holidays_closed: boolean;
  readonly automated: Row | null;
}

const areaCodes: Record<string, { states: string[]; zones: string[] }> = areaCodeTable.area_codes;
const states: Record<string, StateRow> = ruleTable.states;

export function areaCodesOf(): string[] {
  return Object.keys(areaCodes);
}

export function isLegal(areaCode: string, agentHours: AgentHours, at: Date): boolean {
  const area = areaCodes[areaCode];
  if (!area) return false;
  return area.zones.every((zone) => {
    const local = wallClock(zone, at);
    const agent = agentHours ? (agentHours[local.weekday] ?? null) : ['00:00', '24:00'];
    return (
      within(local, ['08:00', '21:00']) &&
      within(local, agent) &&
      area.states.every((state) => lets(state, local))
    );
  });
}

export function localHour(zone: string, at: Date): number {
  return Number(wallClock(zone, at).time.slice(0, 2));
}

interface WallClock {
  readonly weekday: number;
  readonly time: string;
  readonly day: number;
}

function lets(state: string, local: WallClock): boolean {
  const row = states[state];
  if (!row) return false;
  const holiday = hasHolidays(row) && isHoliday(state, local.day);
  if (holiday && row.holidays_closed) return false;
  if (!within(local, onDay(row, local))) return false;
  if (!row.automated) return true;
  const { automated } = row;
  const hours =
    holiday && automated.holiday !== undefined ? automated.holiday : onDay(automated, local);
  return within(local, hours);
}

function hasHolidays(row: StateRow): boolean {
  return row.holidays_closed || row.automated?.holiday !== undefined;
}

function onDay(row: Row, { weekday }: WallClock): Hours {
  if (weekday === 0) return row.sunday;
  return weekday === 6 ? row.saturday : row.weekday;
}

function within({ time }: WallClock, hours: Hours): boolean {
  return hours !== null && time >= (hours[0] ?? '') && time < (hours[1] ?? '');
}

const formats = new Map<string, Intl.DateTimeFormat>();

function wallClock(zone: string, at: Date): WallClock {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    formats.set(zone, format);
  }
  const [date = '', time = ''] = format.format(at).split(' ');
  const day = Date.parse(date) / 86_400_000;
  return { weekday: new Date(day * 86_400_000).getUTCDay(), time, day };
}
