// Appointment times as they are said aloud, in the agent's own zone.

/** "Tuesday at 10 AM"; for the confirmation with its date: "Tuesday, November 24 at 10 AM". */
export function speakSlot(
  startTime: string,
  timezone: string,
  style: 'short' | 'with_date',
): string {
  const start = new Date(startTime);
  const day = format(start, timezone, { weekday: 'long' });
  const date = format(start, timezone, { month: 'long', day: 'numeric' });
  const time = format(start, timezone, { hour: 'numeric', minute: '2-digit' })
    .replace(':00', '')
    .replace(/\s/g, ' ');
  return style === 'short' ? `${day} at ${time}` : `${day}, ${date} at ${time}`;
}

/** The offered times in one phrase; beyond this week a weekday alone would mislead. */
export function speakOffer(startTimes: readonly string[], timezone: string, now: Date): string {
  const beyondWeek = startTimes.some(
    (startTime) => Date.parse(startTime) - now.getTime() > sixDaysMs,
  );
  const style = beyondWeek ? 'with_date' : 'short';
  return startTimes.map((startTime) => speakSlot(startTime, timezone, style)).join(' or ');
}

const sixDaysMs = 6 * 24 * 60 * 60_000;

function format(date: Date, timezone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: timezone, ...options }).format(date);
}
