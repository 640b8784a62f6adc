// The shapes of the calling-rule tables, checked when they are read and when they are updated.
import { z } from 'zod';
import { OpenHours } from './clock-hours.ts';

const hours = OpenHours.nullable();
const cap = z.object({ count: z.int().min(1), hours: z.int().min(1).max(24) }).nullable();
const week = { weekday: hours, saturday: hours, sunday: hours };

const StateRow = z.object({
  ...week,
  holidays_closed: z.boolean(),
  cap,
  /** A further row for artificial voices; both hold. */
  automated: z
    .object({ ...week, holiday: hours.optional(), cap, cite: z.string().min(1) })
    .nullable(),
  cite: z.string().min(1),
  compared_with: z.array(z.string()),
  confidence: z.enum(['high', 'medium', 'low']),
  note: z.string(),
});

export const CallingRules = z.object({
  meta: z.record(z.string(), z.string()),
  federal: z.object({ ...week, cite: z.string().min(1) }),
  states: z.record(z.string().regex(/^[A-Z]{2}$/), StateRow),
  /** Times in which a state forbids all calls: a declared state of emergency. */
  emergencies: z.array(
    z.object({
      state: z.string().regex(/^[A-Z]{2}$/),
      from: z.iso.datetime(),
      until: z.iso.datetime(),
      cite: z.string().min(1),
    }),
  ),
});
export type CallingRules = z.infer<typeof CallingRules>;

const month = z.int().min(1).max(12);
const name = z.string().min(1);

export const HolidayDay = z.union([
  z.strictObject({
    name,
    month,
    day: z.int().min(1).max(31),
    /** On a weekend it closes another day as well. */
    observed: z.literal(true).optional(),
  }),
  z.strictObject({
    name,
    month,
    /** 1 is Monday. */
    weekday: z.int().min(1).max(7),
    /** -1 is the last of the month. */
    nth: z.union([z.int().min(1).max(4), z.literal(-1)]),
    add_days: z.int().optional(),
  }),
  z.strictObject({ name, easter_offset_days: z.int() }),
]);
export type HolidayDay = z.infer<typeof HolidayDay>;

const observing = z.enum(['friday', 'monday']);

export const Holidays = z.object({
  meta: z.record(z.string(), z.string()),
  federal: z.array(HolidayDay),
  states: z.record(
    z.string().regex(/^[A-Z]{2}$/),
    z.object({
      weekend: z.object({ saturday: observing, sunday: observing }),
      source: z.string().min(1),
      note: z.string(),
      days: z.array(HolidayDay),
    }),
  ),
});
export type Holidays = z.infer<typeof Holidays>;
