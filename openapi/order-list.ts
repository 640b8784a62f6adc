// The list of orders: its query, and one page of the answer.
import { z } from 'zod';
import { timestampPattern } from './consent.ts';
import { limits } from './limits.ts';
import { Order } from './orders.ts';
import { ORDER_STATUSES } from './outcome.ts';

const { pageDefault, pageMax } = limits.orderList;
const oneStatus = `(?:${ORDER_STATUSES.join('|')})`;

export const agentIdPattern = /^agt_[A-Za-z0-9_-]{1,64}$/;

export const OrderListQuery = z.object({
  status: z
    .string('must be given once')
    .regex(new RegExp(`^${oneStatus}(?:,${oneStatus})*$`), {
      error: `must be one or several of ${ORDER_STATUSES.join(', ')}, separated by commas`,
    })
    .optional()
    .meta({
      description: 'Only orders in this status, or in one of several separated by commas.',
      examples: ['BOOKED,QUALIFIED'],
    }),
  since: z
    .string('must be given once')
    .regex(timestampPattern, { error: 'must be a timestamp with a zone' })
    .optional()
    .meta({
      description:
        'Only orders that changed at or after this moment (`updated_at`): an ISO 8601 timestamp ' +
        'with a zone.',
      examples: ['2026-05-04T00:00:00Z'],
    }),
  limit: z
    .int(`must be a whole number from 1 to ${pageMax}, given once`)
    .min(1, `must be a whole number from 1 to ${pageMax}`)
    .max(pageMax, `must be a whole number from 1 to ${pageMax}`)
    .default(pageDefault)
    .meta({ description: 'Orders on one page, at most.' }),
  agent_id: z
    .string('must be given once')
    .regex(agentIdPattern, { error: 'must be the identifier of an agent' })
    .optional()
    .meta({
      description: 'Only orders of this agent. An unknown agent has none.',
      examples: ['agt_5R8N1C6WZP'],
    }),
  cursor: z
    .string('must be given once')
    .regex(/^[A-Za-z0-9_-]{1,1024}\.[A-Za-z0-9_-]{1,64}$/, {
      error: 'must be the next_cursor of an answer',
    })
    .optional()
    .meta({
      description:
        'The `next_cursor` of the page before. It keeps the filters of that page; other ones ' +
        'beside it are refused.',
      examples: ['WyIyMDI2LTA1LTA0Il0.q83vEjRWeJA'],
    }),
});
export type OrderListQuery = z.output<typeof OrderListQuery>;

export const OrderSummary = Order.omit({
  success: true,
  transcript: true,
  attempts: true,
  consent: true,
}).meta({
  id: 'OrderSummary',
  description: 'An order as lists show it: without its transcript, its dials and its consent.',
});
export type OrderSummary = z.infer<typeof OrderSummary>;

export const OrderList = z
  .object({
    success: z.literal(true).meta({ description: 'Always true.' }),
    orders: z.array(OrderSummary).meta({
      description: 'The newest first, by `created_at` and then `order_id`.',
    }),
    has_more: z.boolean().meta({ description: 'true when another page follows.' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Gets the next page; null when this one is the last.' }),
  })
  .meta({ id: 'OrderList', description: 'One page of orders.' });
export type OrderList = z.infer<typeof OrderList>;
