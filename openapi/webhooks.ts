// The signed events that the service posts to a webhook URL: names, payloads, headers.
import { z } from 'zod';
import { outcomeFields } from './outcome.ts';

export const ORDER_EVENTS = ['order.completed', 'order.updated'] as const;
export type OrderEventName = (typeof ORDER_EVENTS)[number];

export const OrderCompletedEvent = z
  .object({
    event: z.literal('order.completed').meta({ description: 'Name of the event.' }),
    ...outcomeFields,
  })
  .meta({ id: 'OrderCompletedEvent', description: 'The order reached a final status.' });

export const OrderUpdatedEvent = z
  .object({
    event: z.literal('order.updated').meta({ description: 'Name of the event.' }),
    ...outcomeFields,
  })
  .meta({
    id: 'OrderUpdatedEvent',
    description:
      'Another attempt is scheduled, the order waits for money, or analysis added to a ' +
      'final order.',
  });

/** The payload of a webhook, whichever event it tells. */
export const OrderEvent = z.object({ event: z.enum(ORDER_EVENTS), ...outcomeFields });
export type OrderEvent = z.infer<typeof OrderEvent>;

export const webhookHeaders = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  signature: 'X-Service-Signature',
} as const;

export const webhookUserAgent = 'Service-Webhooks/1.0';

export const webhookSecretPrefix = 'whsec_';

export const WebhookHeaders = z.object({
  [webhookHeaders.event]: z
    .enum(ORDER_EVENTS)
    .meta({ description: 'Event name, the same as `event` in the body.' }),
  [webhookHeaders.delivery]: z.string().meta({
    description: 'Identifier of the delivery; retries of the same delivery reuse it.',
    examples: ['dlv_3J9F0D2HXS'],
  }),
  [webhookHeaders.signature]: z
    .string()
    .regex(/^t=\d+(?:,v1=[0-9a-f]{64})+$/)
    .meta({
      description:
        '`t=<unix seconds>,v1=<64 hex characters>`: HMAC-SHA256 of `<t>.<raw body>` under ' +
        'the whole signing secret. Two `v1` values while an old secret still works; accept ' +
        'when either matches.',
    }),
  'User-Agent': z.literal(webhookUserAgent).meta({ description: 'Who sends.' }),
});
