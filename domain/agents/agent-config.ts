// What a published agent is made of; stored as one JSON document per version.
import { z } from 'zod';
import { OpenHours } from '../calling-hours/clock-hours.ts';

export const AgentQuestion = z.object({
  key: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/),
  question: z.string().min(1).max(300),
  type: z.enum(['yes_no', 'number', 'choice', 'text']),
  required: z.boolean(),
  /** Share of the score this question carries when it passes. */
  weight: z.int().min(0).max(100),
  /** Options of a `choice` question. */
  choices: z.array(z.string().min(1).max(80)).max(12).optional(),
  /** Answers that pass; absent means that any answer passes. */
  passes: z
    .union([
      z.object({ kind: z.literal('yes_no'), is: z.boolean() }),
      z.object({
        kind: z.literal('number'),
        min: z.number().optional(),
        max: z.number().optional(),
      }),
      z.object({ kind: z.literal('choice'), among: z.array(z.string()) }),
    ])
    .optional(),
  /** A failing answer to a knock-out question disqualifies whatever the score. */
  knockout: z.boolean(),
});
export type AgentQuestion = z.infer<typeof AgentQuestion>;

export const AgentConfig = z.object({
  /** Name of the business as it is spoken. */
  businessName: z.string().min(1).max(120),
  /** Why the lead is called, as one spoken clause: "about your roof quote". */
  purpose: z.string().min(1).max(200),
  language: z.literal('en-US'),
  timezone: z.string(),
  voice: z.string(),
  questions: z.array(AgentQuestion).max(20),
  /** Score from which an undecided lead counts as qualified. */
  qualifyThreshold: z.int().min(0).max(100),
  /** Offer an appointment once the questions are answered and nothing knocks the lead out. */
  offersAppointment: z.boolean(),
  appointmentMinutes: z.int().min(5).max(480),
  /**
   * Hours in which the agent may dial, in the lead's local time, per weekday 0 (Sunday) to 6; null is a closed day.
   */
  callingHours: z.array(OpenHours.nullable()).length(7).optional(),
  /** Fallback text after voicemail; {first_name} and {business} are filled in. */
  voicemailText: z.string().min(1).max(480),
  cadence: z.object({
    maxAttempts: z.int().min(1).max(3),
    retryIntervalMinutes: z.int().min(5).max(10_080),
    sendSmsOnVoicemail: z.boolean(),
  }),
  maxCallSeconds: z.int().min(60).max(3_600),
});
export type AgentConfig = z.infer<typeof AgentConfig>;
