// What a finished call hands over: facts only. The status that follows from them is decided in domain/orders.
import { z } from 'zod';

/** An answer with the words that prove it and the second in which they fell. */
export const ExtractedAnswer = z.object({
  key: z.string(),
  value: z.union([z.boolean(), z.number(), z.string()]),
  quote: z.string(),
  atSecond: z.number().nonnegative(),
});
export type ExtractedAnswer = z.infer<typeof ExtractedAnswer>;

export const CallReport = z.object({
  /** Who picked up, after the arbiter weighed carrier and in-call evidence. */
  answeredBy: z.enum(['person', 'machine', 'nobody']),
  /** When talk time began and ended; null when no person answered. */
  talkStartedAt: z.date().nullable(),
  talkEndedAt: z.date().nullable(),
  /** Whether the person said anything at all. */
  personSpoke: z.boolean(),
  endedBy: z.enum(['agent', 'person', 'carrier', 'own_fault']),
  optedOut: z.enum(['stop_calling', 'wrong_number']).nullable(),
  interest: z.enum(['yes', 'no', 'unknown']),
  answers: z.array(ExtractedAnswer),
  booking: z.object({ startTime: z.string(), calendarEventId: z.string() }).nullable(),
  /** Nothing could be booked because the calendar could not be reached. */
  calendarFailed: z.boolean().optional(),
  /** Keys of the questions that were put to the person. */
  askedKeys: z.array(z.string()),
  summary: z.string().nullable(),
  recordingObjected: z.boolean(),
  /** One entry per agent turn that followed a person's: end of speech to first audio sent. */
  turnLatenciesMs: z.array(z.number().nonnegative()),
  /** Name of what extracted the answers: `script` or a model id. */
  brain: z.string(),
});
export type CallReport = z.infer<typeof CallReport>;
