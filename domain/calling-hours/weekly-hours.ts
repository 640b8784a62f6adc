// Hours of the week as minutes of the local day. Pure.
import type { ClockHours } from './clock-hours.ts';

/** From the first open minute up to and without the last, counted from local midnight. */
export interface DayHours {
  readonly fromMinute: number;
  readonly untilMinute: number;
}

/** Sunday first; null is a closed day. */
export type WeekHours = readonly (DayHours | null)[];

/** What cannot be read, or ends before it begins, is closed: better no call than one at night. */
export function readDayHours(hours: ClockHours): DayHours | null {
  if (!hours) return null;
  const fromMinute = readMinute(hours[0]);
  const untilMinute = readMinute(hours[1]);
  return fromMinute < untilMinute ? { fromMinute, untilMinute } : null;
}

export function readWeek(row: {
  readonly weekday: ClockHours;
  readonly saturday: ClockHours;
  readonly sunday: ClockHours;
}): WeekHours {
  const weekday = readDayHours(row.weekday);
  const weekdays = Array.from({ length: 5 }, () => weekday);
  return [readDayHours(row.sunday), ...weekdays, readDayHours(row.saturday)];
}

/** NaN compares with nothing, so an unreadable end closes the day. */
function readMinute(text: string): number {
  const match = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(text);
  const minute = match ? Number(match[1]) * 60 + Number(match[2]) : Number.NaN;
  return minute <= 24 * 60 ? minute : Number.NaN;
}
