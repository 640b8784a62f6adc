// What opening hours and the terms of appointments may be. Pure.
import { z } from 'zod';

const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time such as 09:00');
const minutes = (min: number, max: number) => z.int().min(min).max(max);

export const CalendarHours = z.object({
  timezone: z.string().refine(isTimezone, 'must be a zone such as America/New_York'),
  /** Sunday first; null is a closed day. */
  openingHours: z
    .array(
      z
        .tuple([time, time])
        .refine(([opens, closes]) => opens < closes, 'must close after it opens')
        .nullable(),
    )
    .length(7),
  startEveryMinutes: minutes(5, 1_440),
  bufferBeforeMinutes: minutes(0, 480),
  bufferAfterMinutes: minutes(0, 480),
  noticeMinutes: minutes(0, 43_200),
  horizonDays: minutes(1, 60),
});
export type CalendarHours = z.infer<typeof CalendarHours>;

function isTimezone(name: string): boolean {
  try {
    // Offsets such as +05:00 are known to Intl, but know no daylight-saving changes.
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en-US', { timeZone: name }));
  } catch {
    return false;
  }
}
