// Orders on the wire: what a client sends, what it gets back at once, and what it reads later.
import { z } from 'zod';
import { Consent } from './consent.ts';
import { limits } from './limits.ts';
import { count, outcomeFields, timestamp } from './outcome.ts';
import { ATTEMPT_OUTCOMES, WAITING_RULES } from './reasons.ts';
import { openEnum, text } from './text.ts';

export const Lead = z
  .object({
    phone: text().meta({
      description:
        'E.164 with the leading `+`. Only US mainland, Alaska and Hawaii numbers are ' +
        'called. For test keys the last four digits choose the simulated outcome.',
      examples: ['+12125550001'],
    }),
    first_name: text()
      .nullish()
      .meta({ description: 'Name of the lead.', examples: ['Dana'] }),
    custom_context: text()
      .nullish()
      .meta({
        description: 'Free text about why the lead is being called.',
        examples: ['Asked for a roof quote on Sunday.'],
      }),
  })
  .meta({ id: 'Lead', description: 'The person to call.' });
export type Lead = z.infer<typeof Lead>;

const cadenceFields = {
  max_attempts: z.int().min(limits.cadence.attemptsMin).max(limits.cadence.attemptsMax),
  retry_interval_minutes: z
    .int()
    .min(limits.cadence.retryIntervalMinMinutes)
    .max(limits.cadence.retryIntervalMaxMinutes),
  send_sms_on_voicemail: z.boolean(),
};

export const Cadence = z
  .object({
    max_attempts: cadenceFields.max_attempts.nullish().meta({ description: 'Dials at most.' }),
    retry_interval_minutes: cadenceFields.retry_interval_minutes
      .nullish()
      .meta({ description: 'Wait between two attempts.' }),
    send_sms_on_voicemail: cadenceFields.send_sms_on_voicemail
      .nullish()
      .meta({ description: 'When true, a fallback text is sent if voicemail answers.' }),
  })
  .meta({
    id: 'Cadence',
    description:
      "The retry plan. What is left out comes from the agent's own settings, else 3 " +
      'attempts, 60 minutes, text on.',
  });
export type Cadence = z.infer<typeof Cadence>;

export const OrderInput = z
  .object({
    agent_id: text({ min: 1 }).meta({
      description: "An agent of the key's workspace.",
      examples: ['agt_5R8N1C6WZP'],
    }),
    lead: Lead,
    cadence: Cadence.optional(),
    consent: Consent,
    webhook_url: text({ max: limits.order.webhookUrlMaxChars })
      .nullish()
      .meta({
        description:
          'Where the events of this order go instead of the workspace default. https, ' +
          'without user name or password, on the public internet.',
        examples: ['https://example.com/hooks/calls'],
      }),
    external_reference_id: text({ max: limits.order.externalReferenceIdMaxChars })
      .nullish()
      .meta({
        description: 'Your own reference, echoed in webhooks and reads.',
        examples: ['crm-48213'],
      }),
  })
  .meta({
    id: 'OrderInput',
    description:
      'An order for one lead. Unknown fields are ignored; null in an optional field means absent.',
  });
export type OrderInput = z.infer<typeof OrderInput>;

export const OrderAccepted = z
  .object({
    success: z.literal(true).meta({ description: 'Always true.' }),
    order_id: outcomeFields.order_id,
    status: z.literal('QUEUED').meta({ description: 'The status at creation.' }),
    estimated_dial_seconds: count(
      'Estimated seconds until the first dial; outside calling hours until the next minute in which the ' +
        'number may be called.',
    ),
  })
  .meta({ id: 'OrderAccepted', description: 'The order was taken; the call follows.' });
export type OrderAccepted = z.infer<typeof OrderAccepted>;

export const Attempt = z
  .object({
    number: z.int().min(1).max(limits.cadence.attemptsMax).meta({ description: 'Counted from 1.' }),
    started_at: timestamp('When the dial began.'),
    answered_at: timestamp('When a person answered; null when nobody did.').nullable(),
    ended_at: timestamp('When the call was over; null while it lasts.').nullable(),
    outcome: openEnum(
      ATTEMPT_OUTCOMES,
      'What came of the dial; null while it lasts. New values may appear.',
    ).nullable(),
    answered_by: openEnum(
      ['person', 'machine', 'unknown'],
      'Who picked up; null when nobody did. New values may appear.',
    ).nullable(),
    duration_seconds: count('Talk time of this attempt.'),
    charged_cents: count('Cost of the call of this attempt in cents.'),
  })
  .meta({ id: 'Attempt', description: 'One dial of the order.' });
export type Attempt = z.infer<typeof Attempt>;

export const OrderLead = z
  .object({
    phone: z.string().meta({
      description: 'E.164. `anonymous` for a person who called without showing a number.',
    }),
    first_name: z.string().nullable().meta({ description: 'null when none was sent.' }),
    custom_context: z.string().nullable().meta({ description: 'null when none was sent.' }),
  })
  .meta({ id: 'OrderLead', description: 'The lead as it was ordered.' });

export const OrderCadence = z
  .object({
    max_attempts: cadenceFields.max_attempts.meta({ description: 'Dials at most.' }),
    retry_interval_minutes: cadenceFields.retry_interval_minutes.meta({
      description: 'Wait between two attempts.',
    }),
    send_sms_on_voicemail: cadenceFields.send_sms_on_voicemail.meta({
      description: 'Whether a fallback text is sent when voicemail answers.',
    }),
  })
  .meta({ id: 'OrderCadence', description: 'The retry plan in effect, with defaults filled in.' });

export const OrderConsent = z
  .object({
    opt_in_confirmed: z
      .literal(true)
      .meta({ description: 'Always true: no order is taken without.' }),
    consented_at: z
      .string()
      .meta({ description: 'As it was sent; when the call came, for inbound calls.' }),
    source: z.string().meta({ description: 'As it was sent; `inbound_call` for inbound calls.' }),
  })
  .meta({ id: 'OrderConsent', description: 'The consent record, word for word.' });

export const WaitingFor = z
  .object({
    rule: openEnum(
      WAITING_RULES,
      'The rule that keeps the phone from ringing: `federal_hours` (08:00 to 21:00), `state_hours`, ' +
        "`sunday`, `holiday` and `emergency` of the state, or the agent's own `agent_hours`. New " +
        'values may appear.',
    ),
    time_zone: z.string().meta({
      description: 'IANA name of the zone of the number in which the rule counts.',
    }),
    until: timestamp('When this rule lets the phone ring again.'),
  })
  .meta({
    id: 'WaitingFor',
    description:
      'Calling hours that put the next dial off. All rules must allow a dial in every time zone of ' +
      'the area code; of several that close, this one stays closed longest.',
  });

export const Order = z
  .object({
    success: z.literal(true).meta({ description: 'Always true.' }),
    ...outcomeFields,
    direction: openEnum(
      ['outbound', 'inbound'],
      '`outbound`: the lead is called. `inbound`: a person called a number of the workspace; there ' +
        'is one attempt, nobody is called back or texted, and events go to the default webhook URL. ' +
        'New values may appear.',
    ),
    agent_id: z.string().meta({ description: 'The agent that calls, or that took the call.' }),
    agent_version: z
      .int()
      .min(1)
      .meta({ description: 'Published version of the agent that the order uses.' }),
    lead: OrderLead,
    cadence: OrderCadence,
    consent: OrderConsent,
    webhook_url: z.string().nullable().meta({
      description: 'The webhook URL of this order; null when the workspace default applies.',
    }),
    final: z.boolean().meta({ description: 'true when the status will not change again.' }),
    created_at: timestamp('When the order was accepted.'),
    updated_at: timestamp('When anything on the order last changed.'),
    completed_at: timestamp('When the order became final; null before.').nullable(),
    next_attempt_at: timestamp(
      'When the next dial is due: a minute in which the number may be called; null when none is.',
    ).nullable(),
    waiting_for: WaitingFor.nullable().meta({
      description:
        'The calling hours that the next dial waits for; null when none is due or it falls due on its own.',
    }),
    estimated_dial_seconds: count('Seconds until the first dial, as estimated at creation.'),
    analysis: z.enum(['none', 'pending', 'complete']).meta({
      description: '`pending` while the call is still analysed; an `order.updated` may follow.',
    }),
    attempts: z.array(Attempt).meta({ description: 'All dials, first to last.' }),
  })
  .meta({
    id: 'Order',
    description: 'Everything about an order: its outcome so far, what was ordered, and its dials.',
  });
export type Order = z.infer<typeof Order>;
