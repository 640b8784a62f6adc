// The `webhooks` part of the document: one entry per event, so that each payload has its own type.
import { limits } from './limits.ts';
import { outcomeExample } from './examples.ts';
import { OrderCompletedEvent, OrderUpdatedEvent, WebhookHeaders } from './webhooks.ts';

/** The payload schemas; no path refers to them, so the generator is told of them. */
export const webhookSchemas = { OrderCompletedEvent, OrderUpdatedEvent };

export const webhookDescriptions = {
  orderCompleted: {
    post: describeEvent({
      operationId: 'orderCompleted',
      summary: 'The order reached a final status',
      description:
        'Sent when the order is BOOKED, QUALIFIED, DISQUALIFIED or FAILED, or ' +
        'VOICEMAIL_SMS_SENT with no attempts left; also for an order that fails before its ' +
        'first dial.',
      schema: 'OrderCompletedEvent',
      example: { event: 'order.completed', ...outcomeExample },
    }),
  },
  orderUpdated: {
    post: describeEvent({
      operationId: 'orderUpdated',
      summary: 'The order goes on, waits for money, or gained analysis',
      description:
        'Sent when an attempt reached nobody and another is scheduled, once when the order ' +
        'starts to wait for money, and when analysis adds to the qualification of a final ' +
        'order.',
      schema: 'OrderUpdatedEvent',
      example: {
        event: 'order.updated',
        ...outcomeExample,
        status: 'RETRY_SCHEDULED',
        duration_seconds: 0,
        billed_minutes: 0,
        charged_cents: 0,
        qualification: null,
        appointment: { booked: false, start_time: null, calendar_event_id: null },
        recording_url: null,
        transcript: [],
        reason: 'no_answer',
      },
    }),
  },
};

function describeEvent(event: {
  operationId: string;
  summary: string;
  description: string;
  schema: keyof typeof webhookSchemas;
  example: object;
}) {
  const { schema, example, ...heading } = event;
  return {
    ...heading,
    tags: ['Orders'],
    security: [],
    parameters: headerParameters(),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example },
      },
    },
    responses: {
      '2XX': {
        description:
          `Taken, within ${limits.webhook.responseTimeoutSeconds} seconds. Any other answer ` +
          `is retried, ${limits.webhook.attemptsMax} attempts in all.`,
      },
    },
  };
}

function headerParameters() {
  return Object.entries(WebhookHeaders.shape).map(([name, schema]) => {
    const { $schema: _, description = '', ...rest } = schema.toJSONSchema();
    return { in: 'header', name, required: true, description, schema: rest };
  });
}
