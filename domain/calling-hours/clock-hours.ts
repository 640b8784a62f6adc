// Hours of a day as agents and rule tables write them.
import { z } from 'zod';

const clockTime = z.string().regex(/^(?:[01]\d:[0-5]\d|2[0-3]:[0-5]\d|24:00)$/);

/** From `08:00` up to and without `21:00`; `24:00` is the end of the day. */
export const OpenHours = z
  .tuple([clockTime, clockTime])
  .refine(([from, until]) => from < until, { error: 'must end after they begin, on the same day' });

/** Null is a closed day. */
export type ClockHours = readonly [string, string] | null;
