// Starts that fit the opening hours of a calendar, in its own zone, over daylight-saving changes. Pure.

export interface OpeningHours {
  readonly timezone: string;
  /** Sunday first; null is a closed day. */
  readonly openingHours: readonly (readonly [string, string] | null)[];
}

const stepMinutes = 60;
const minuteMs = 60_000;

/** On full hours of local time, soonest first. */
export function* openStarts(
  hours: OpeningHours,
  earliest: Date,
  latest: Date,
  minutes: number,
): Generator<Date> {
  const local = localClock(hours.timezone);
  const stepMs = stepMinutes * minuteMs;
  for (
    let at = Math.ceil(earliest.getTime() / stepMs) * stepMs;
    at <= latest.getTime();
    at += stepMs
  ) {
    const { weekday, minuteOfDay } = local(at);
    const open = hours.openingHours[weekday];
    if (!open) continue;
    if (minuteOfDay >= minutesOf(open[0]) && minuteOfDay + minutes <= minutesOf(open[1]))
      yield new Date(at);
  }
}

function localClock(timezone: string): (at: number) => { weekday: number; minuteOfDay: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  return (at) => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, value]),
    );
    return {
      weekday: weekdays.indexOf(parts['weekday'] ?? ''),
      minuteOfDay: Number(parts['hour']) * 60 + Number(parts['minute']),
    };
  };
}

function minutesOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
