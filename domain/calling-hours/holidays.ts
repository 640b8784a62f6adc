// The holidays on which a state closes its phones: federal ones, its own, and the days they are observed on.
import { Temporal } from 'temporal-polyfill';
import holidayTable from './data/holidays.json' with { type: 'json' };
import { Holidays, type HolidayDay } from './rule-tables.ts';

const table = Holidays.parse(holidayTable);
const dayMs = 24 * 60 * 60 * 1000;

/** Days since 1970-01-01, by state and year. */
const closedDays = new Map<string, ReadonlySet<number>>();

/** `day` counts the days since 1970-01-01 in local time. */
export function isHoliday(state: string, day: number): boolean {
  const year = new Date(day * dayMs).getUTCFullYear();
  const key = `${state} ${year}`;
  let days = closedDays.get(key);
  if (!days) {
    days = new Set(holidaysOf(state, year).map(dayNumber));
    closedDays.set(key, days);
  }
  return days.has(day);
}

/** Every day of this year; New Year's Day of the next one may be observed in this. */
export function holidaysOf(state: string, year: number): Temporal.PlainDate[] {
  const own = table.states[state];
  if (!own) throw new Error(`The holidays of ${state} are in no table.`);
  return [year - 1, year, year + 1]
    .flatMap((near) =>
      [...table.federal, ...own.days].flatMap((rule) => {
        const date = dateOf(rule, near);
        const moved = 'observed' in rule ? observedOn(date, own.weekend) : null;
        return moved ? [date, moved] : [date];
      }),
    )
    .filter((date) => date.year === year);
}

function dateOf(rule: HolidayDay, year: number): Temporal.PlainDate {
  if ('easter_offset_days' in rule) return easter(year).add({ days: rule.easter_offset_days });
  const first = Temporal.PlainDate.from({ year, month: rule.month, day: 1 });
  if ('day' in rule) return first.with({ day: rule.day });
  const from = rule.nth === -1 ? first.add({ months: 1 }) : first;
  const toWeekday = (rule.weekday - from.dayOfWeek + 7) % 7;
  const weeks = rule.nth === -1 ? -1 : rule.nth - 1;
  return from.add({ days: toWeekday + weeks * 7 + (rule.add_days ?? 0) });
}

function observedOn(
  date: Temporal.PlainDate,
  weekend: { saturday: 'friday' | 'monday'; sunday: 'friday' | 'monday' },
): Temporal.PlainDate | null {
  if (date.dayOfWeek === 6) return date.add({ days: weekend.saturday === 'friday' ? -1 : 2 });
  if (date.dayOfWeek === 7) return date.add({ days: weekend.sunday === 'friday' ? -2 : 1 });
  return null;
}

/** Western Easter by the anonymous Gregorian computus. */
function easter(year: number): Temporal.PlainDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const f = Math.floor((b + 8) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - f + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return Temporal.PlainDate.from({ year, month: Math.floor(sum / 31), day: (sum % 31) + 1 });
}

function dayNumber(date: Temporal.PlainDate): number {
  return Date.UTC(date.year, date.month - 1, date.day) / dayMs;
}
