// What an order came to. The webhook payload and the order read share these fields, so one parser
// serves both.
import { z } from 'zod';
import { limits } from './limits.ts';
import { REASONS } from './reasons.ts';
import { openEnum } from './text.ts';

export const ORDER_STATUSES = [
  'QUEUED',
  'DIALING',
  'IN_PROGRESS',
  'RETRY_SCHEDULED',
  'VOICEMAIL_SMS_SENT',
  'BOOKED',
  'QUALIFIED',
  'DISQUALIFIED',
  'FAILED',
] as const;

export const OrderStatus = z.enum(ORDER_STATUSES).meta({
  id: 'OrderStatus',
  description:
    'Where the order stands. Final: `BOOKED`, `QUALIFIED`, `DISQUALIFIED`, `FAILED`, and ' +
    '`VOICEMAIL_SMS_SENT` when no attempts are left.',
});
export type OrderStatus = z.infer<typeof OrderStatus>;

/**
 * Schemas that reads and webhooks share: without this the generator makes two components of each.
 */
const sameInBothDirections = {
  override({ jsonSchema }: { jsonSchema: { additionalProperties?: unknown } }) {
    delete jsonSchema.additionalProperties;
  },
};

export const Qualification = z
  .object({
    qualified: z.boolean().nullable().meta({ description: 'null when the lead was not scored.' }),
    score: z
      .int()
      .min(0)
      .max(100)
      .nullable()
      .meta({ description: '0 to 100, null when not scored.' }),
    extracted_answers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).meta({
      description: "Answers to the agent's questions, keyed by the key of the question.",
    }),
    summary: z.string().nullable().meta({ description: 'The call in a few sentences.' }),
  })
  .meta({
    id: 'Qualification',
    description: 'What the person said, measured by the questions.',
    ...sameInBothDirections,
  });
export type Qualification = z.infer<typeof Qualification>;

export const Appointment = z
  .object({
    booked: z.boolean().meta({ description: 'false when nothing was booked.' }),
    start_time: timestamp('When the appointment begins; null when nothing was booked.').nullable(),
    calendar_event_id: z
      .string()
      .nullable()
      .meta({ description: 'The event in the calendar of the workspace.' }),
  })
  .meta({
    id: 'Appointment',
    description: 'The appointment that the call led to, if any.',
    ...sameInBothDirections,
  });
export type Appointment = z.infer<typeof Appointment>;

export const TranscriptTurn = z
  .object({
    role: z.enum(['agent', 'user']).meta({ description: 'Who spoke: our `agent` or the lead.' }),
    text: z.string().meta({ description: 'The words of this turn.' }),
  })
  .meta({
    id: 'TranscriptTurn',
    description: 'One turn of the conversation.',
    ...sameInBothDirections,
  });
export type TranscriptTurn = z.infer<typeof TranscriptTurn>;

export const outcomeFields = {
  order_id: z
    .string()
    .regex(/^ord_/)
    .meta({ description: 'Identifier of the order.', examples: ['ord_7Q2M4X9KTB'] }),
  external_reference_id: z.string().nullable().meta({
    description:
      "As sent on the order; null for calls that people make to the workspace's numbers.",
  }),
  status: OrderStatus,
  attempt_number: z.int().min(0).max(limits.cadence.attemptsMax).meta({
    description: 'Dials made so far; 0 when the order ended or waits before its first dial.',
  }),
  duration_seconds: count('Talk time from the moment a person answered; 0 when nobody answered.'),
  billed_minutes: count('Talk time rounded up to whole minutes.'),
  charged_cents: count(
    "Cost of this order's call in cents, with any high-cost-area surcharge; fallback texts " +
      'are not in it.',
  ),
  qualification: Qualification.nullable(),
  appointment: Appointment,
  recording_url: z
    .string()
    .nullable()
    .meta({
      format: 'uri',
      description:
        'Where the recording can be downloaded with an API key; null when there is none or it' +
        ' was deleted.',
    }),
  transcript: z
    .array(TranscriptTurn)
    .meta({ description: 'The conversation in order; empty when nobody was reached.' }),
  reason: openEnum(
    REASONS,
    'Why the order waits or failed; null when there is nothing to report. New values may appear.',
  ).nullable(),
  test: z.boolean().meta({ description: 'true for an order made with a test key.' }),
} as const;

/** A moment as this API writes it: RFC 3339 in UTC. */
export function timestamp(description: string) {
  return z.string().meta({ description, format: 'date-time' });
}

/** Whole and not negative, within what every client can hold. */
export function count(description: string) {
  return z.int().min(0).max(2_147_483_647).meta({ description });
}
