// Starts that fit the opening hours of a calendar, in its own zone, over daylight-saving changes. Pure.
import { Temporal } from 'temporal-polyfill';

export interface OpeningHours {
  /** IANA name of the zone in which the hours are meant. */
  readonly timezone: string;
  /** Seven days, Sunday first: ["09:00", "17:00"], up to "24:00"; null is a closed day. */
  readonly openingHours: readonly (readonly [string, string] | null)[];
  /** Starts lie this far apart, counted from the opening of the day. */
  readonly startEveryMinutes: number;
}

export interface Window {
  readonly from: Date;
  readonly to: Date;
}

/**
 * Soonest first; an appointment ends by closing time. What the clocks skip is not offered, what they repeat is
 * offered twice: the hours are those of the wall, the length of an appointment is that of real time.
 */
export function* openStarts(
  hours: OpeningHours,
  { from, to }: Window,
  minutes: number,
): Generator<Date> {
  const { timezone } = hours;
  const last = zoned(to, timezone).toPlainDate();
  const stepMs = hours.startEveryMinutes * 60_000;
  let day = zoned(from, timezone).toPlainDate().subtract({ days: 1 });
  for (; Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    // Temporal counts Sunday as the seventh day.
    const open = hours.openingHours[day.dayOfWeek % 7];
    if (!open) continue;
    const opensAt = instantOf(day, open[0], timezone);
    const latest = Math.min(instantOf(day, open[1], timezone) - minutes * 60_000, to.getTime());
    const missed = Math.max(0, Math.ceil((from.getTime() - opensAt) / stepMs));
    for (let at = opensAt + missed * stepMs; at <= latest; at += stepMs) yield new Date(at);
  }
}

/** A time that the clocks skip counts as the moment to which they jump. */
function instantOf(day: Temporal.PlainDate, time: string, timezone: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour === 24
    ? day.add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds
    : day.toZonedDateTime({ timeZone: timezone, plainTime: { hour, minute } }).epochMilliseconds;
}

function zoned(at: Date, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
}
