// When one rule lets a phone ring in one time zone. Pure.
import { isHoliday } from './holidays.ts';
import type { DayHours, WeekHours } from './weekly-hours.ts';
import type { ZoneOffsets } from './zone-offsets.ts';

export type ClosingRule =
  'federal_hours' | 'state_hours' | 'sunday' | 'holiday' | 'emergency' | 'agent_hours';

export interface Timetable {
  readonly timeZone: string;
  /** Null while it is open. */
  closedBy(instantMs: number): ClosingRule | null;
  /** The first open instant from this one on; infinite when there is none up to the horizon. */
  opensAt(fromMs: number, horizonMs: number): number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const epochWeekday = 4;

export function weeklyTimetable(
  rule: 'federal_hours' | 'state_hours' | 'agent_hours',
  zone: ZoneOffsets,
  week: WeekHours,
  holidays: { readonly state: string; readonly hours: DayHours | null } | null = null,
): Timetable {
  const onHoliday = (day: number) => holidays !== null && isHoliday(holidays.state, day);
  const hoursOn = (day: number) =>
    onHoliday(day) ? (holidays?.hours ?? null) : (week[weekdayOf(day)] ?? null);
  return {
    timeZone: zone.timeZone,
    closedBy(instantMs) {
      const localMs = instantMs + zone.spanAt(instantMs).offsetMs;
      const day = Math.floor(localMs / dayMs);
      const hours = hoursOn(day);
      if (hours && isWithin(hours, localMs - day * dayMs)) return null;
      if (onHoliday(day)) return 'holiday';
      return !hours && rule === 'state_hours' && weekdayOf(day) === 0 ? 'sunday' : rule;
    },
    opensAt(fromMs, horizonMs) {
      let atMs = fromMs;
      while (atMs <= horizonMs) {
        const { offsetMs, untilMs } = zone.spanAt(atMs);
        const day = Math.floor((atMs + offsetMs) / dayMs);
        const midnightMs = day * dayMs - offsetMs;
        const hours = hoursOn(day);
        const opens = hours !== null && atMs < midnightMs + hours.untilMinute * minuteMs;
        const nextMs = opens
          ? Math.max(atMs, midnightMs + hours.fromMinute * minuteMs)
          : midnightMs + dayMs;
        // Beyond a change of the clocks the same local time is another instant.
        if (nextMs >= untilMs) atMs = untilMs;
        else if (opens) return nextMs <= horizonMs ? nextMs : Number.POSITIVE_INFINITY;
        else atMs = nextMs;
      }
      return Number.POSITIVE_INFINITY;
    },
  };
}

/** All calls are forbidden from one instant to another. */
export function emergencyTimetable(timeZone: string, fromMs: number, untilMs: number): Timetable {
  const isClosed = (instantMs: number) => instantMs >= fromMs && instantMs < untilMs;
  return {
    timeZone,
    closedBy: (instantMs) => (isClosed(instantMs) ? 'emergency' : null),
    opensAt: (instantMs, horizonMs) => {
      const opensMs = isClosed(instantMs) ? untilMs : instantMs;
      return opensMs <= horizonMs ? opensMs : Number.POSITIVE_INFINITY;
    },
  };
}

function isWithin({ fromMinute, untilMinute }: DayHours, localMs: number): boolean {
  return localMs >= fromMinute * minuteMs && localMs < untilMinute * minuteMs;
}

/** 0 is Sunday; the epoch began on a Thursday. */
function weekdayOf(day: number): number {
  return (day + epochWeekday) % 7;
}
