// The read operations beside GET of one order: the list, the key itself, the agents.
import { z } from 'zod';
import { AgentList } from './agents.ts';
import { agentListExample, meExample, orderListExample } from './read-examples.ts';
import { limits } from './limits.ts';
import { Me } from './me.ts';
import { defineOperation } from './operation.ts';
import { OrderList, OrderListQuery } from './order-list.ts';

/** What every read with a key may answer; `invalid_request` comes on top where there is a query. */
const readErrors = [
  'unauthorized',
  'method_not_allowed',
  'rate_limited',
  'internal_error',
  'unavailable',
] as const;

const sharedLimit =
  `All reads of a workspace together, recordings aside, are limited to ` +
  `${limits.reads.perMinute} a minute.`;

export const listOrders = defineOperation({
  id: 'listOrders',
  method: 'GET',
  path: '/v1/orders',
  tag: 'Orders',
  summary: 'List orders',
  description: `The orders of the workspace, newest first, filtered by any of the parameters
together. Follow \`next_cursor\` until \`has_more\` is false; orders that come in meanwhile do not
move the pages. Parameters that are not listed here are ignored. ${sharedLimit}`,
  auth: 'apiKey',
  input: OrderListQuery,
  success: {
    status: 200,
    description: 'One page of orders.',
    schema: OrderList,
    example: orderListExample,
  },
  errors: ['invalid_request', ...readErrors],
});

export const getMe = defineOperation({
  id: 'getMe',
  method: 'GET',
  path: '/v1/me',
  tag: 'Workspace',
  summary: 'Read the workspace of the key',
  description: `Whom the key speaks for, whether an order with it would be taken now, and how much
of each limit is used. ${sharedLimit}`,
  auth: 'apiKey',
  input: z.object({}),
  success: {
    status: 200,
    description: 'The workspace and the key.',
    schema: Me,
    example: meExample,
  },
  errors: readErrors,
});

export const listAgents = defineOperation({
  id: 'listAgents',
  method: 'GET',
  path: '/v1/agents',
  tag: 'Workspace',
  summary: 'List agents',
  description: `All agents of the workspace, with what an order needs to know of them: whether they
can call, what they ask, and their retry plan. ${sharedLimit}`,
  auth: 'apiKey',
  input: z.object({}),
  success: {
    status: 200,
    description: 'All agents.',
    schema: AgentList,
    example: agentListExample,
  },
  errors: readErrors,
});
