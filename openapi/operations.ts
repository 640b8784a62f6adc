// The public operations. A new endpoint begins here; everything else is bound from this list.
import { z } from 'zod';
import { receiveLead } from './lead-operations.ts';
import { limits } from './limits.ts';
import { defineOperation } from './operation.ts';
import { getRecording, getRecordingLink } from './recording-operations.ts';
import { Order, OrderAccepted, OrderInput } from './orders.ts';
import { acceptedExample, fullOrderExample, orderExample, smallOrderExample } from './examples.ts';
import { getMe, listAgents, listOrders } from './read-operations.ts';

export const idempotencyKeyPattern = new RegExp(
  `^[\\x21-\\x7e]{1,${limits.order.idempotencyKeyMaxChars}}$`,
);

export const createOrder = defineOperation({
  id: 'createOrder',
  method: 'POST',
  path: '/v1/orders',
  tag: 'Orders',
  summary: 'Place an order',
  description: `Orders one to three calls to one lead. A 202 means that the order is kept and will
be dialled; what comes of it is told by webhook and by reading the order.

Consent is checked before the API key, the key before all other fields. A live key places a real
call and charges the wallet; a test key simulates the whole flow without dialling, texting or
charging.

Send an \`Idempotency-Key\` to make retries safe: the same key with the same \`agent_id\`,
\`lead.phone\` and \`external_reference_id\` answers with the first order and the header
\`Idempotent-Replayed: true\`. Only a 202 binds a key, and it stays bound to its order.`,
  auth: 'apiKey',
  input: OrderInput,
  body: {
    maxBytes: limits.order.bodyMaxBytes,
    unreadable: 'invalid_json',
    examples: {
      smallest: { summary: 'Only what is required', value: smallOrderExample },
      full: { summary: 'Every field', value: fullOrderExample },
    },
  },
  requestHeaders: z.object({
    'Idempotency-Key': z
      .string()
      .regex(idempotencyKeyPattern)
      .optional()
      .meta({
        description:
          `1 to ${limits.order.idempotencyKeyMaxChars} visible ASCII characters, chosen by ` +
          'the client.',
        examples: ['lead-48213-first-call'],
      }),
  }),
  success: {
    status: 202,
    description: 'The order was accepted, or had been accepted under the same Idempotency-Key.',
    schema: OrderAccepted,
    example: acceptedExample,
    headers: z.object({
      'Idempotent-Replayed': z.literal('true').optional().meta({
        description: 'Present when this answer repeats an order that was accepted before.',
      }),
    }),
  },
  errors: [
    'invalid_json',
    'consent_required',
    'invalid_consent_source',
    'invalid_request',
    'invalid_phone',
    'unauthorized',
    'insufficient_balance',
    'plan_inactive',
    'agent_not_found',
    'method_not_allowed',
    'agent_inactive',
    'agent_not_published',
    'idempotency_key_conflict',
    'do_not_contact',
    'unsupported_destination',
    'high_cost_destination',
    'rate_limited',
    'internal_error',
    'suppression_unavailable',
    'rate_unavailable',
    'wallet_unavailable',
  ],
});

export const getOrder = defineOperation({
  id: 'getOrder',
  method: 'GET',
  path: '/v1/orders/{order_id}',
  tag: 'Orders',
  summary: 'Read one order',
  description:
    'The present state of an order, with every field of the webhook payload under the same ' +
    'name. Read it to catch up on missed events. Any key of the workspace, live or test, ' +
    'reads any of its orders.',
  auth: 'apiKey',
  input: z.object({
    order_id: z.string().meta({
      description: 'Identifier from the answer to `POST /v1/orders`.',
      examples: ['ord_7Q2M4X9KTB'],
    }),
  }),
  success: {
    status: 200,
    description: 'The order.',
    schema: Order,
    example: orderExample,
  },
  errors: ['unauthorized', 'not_found', 'method_not_allowed', 'rate_limited', 'internal_error'],
});

export const operations = {
  createOrder,
  getOrder,
  receiveLead,
  listOrders,
  getMe,
  listAgents,
  getRecording,
  getRecordingLink,
} as const;
