// The trigger URL: intake for no-code tools, whose credential is the token in the path.
import { z } from 'zod';
import { leadAcceptedExample, leadExamples } from './lead-examples.ts';
import { LeadAccepted, LeadPayload } from './leads.ts';
import { limits } from './limits.ts';
import { defineOperation } from './operation.ts';

const { leadsPerMinute, duplicateWindowHours, testNumberConfirmedWithinDays } = limits.triggerUrl;

export const receiveLead = defineOperation({
  id: 'receiveLead',
  method: 'POST',
  path: '/v1/hooks/lead/{token}',
  tag: 'Leads',
  summary: 'Post a lead to a trigger URL',
  description: `Makes an order of a lead, for the agent of the URL. There is no API key: the token
in the path is the credential, so the whole URL is a secret.

The same payload within ${duplicateWindowHours} hours does not call twice: it answers with the first
order. At most ${leadsPerMinute} leads a minute are taken per URL. Consent is the statement that was
accepted when the URL was switched on. Events go to the default webhook URL of the workspace.

A lead that marks itself as a test (\`is_test: true\` of Google lead forms) is never dialled; it
becomes a simulated order.`,
  auth: 'none',
  input: z.object({
    token: z.string().meta({
      description: 'The secret token of the trigger URL.',
      examples: ['3f9a1c0b7e24d8865a0f4c1d92be73a6'],
    }),
    test: z
      .enum(['0', '1', 'false', 'true'])
      .optional()
      .meta({
        description:
          '`1` makes a test lead: it rings the number for real, at the cost of the workspace, ' +
          `which must have confirmed it in the last ${testNumberConfirmedWithinDays} days.`,
        examples: ['1'],
      }),
  }),
  body: {
    maxBytes: limits.triggerUrl.bodyMaxBytes,
    unreadable: 'invalid_body',
    freeForm: {
      schema: LeadPayload,
      contentTypes: [
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ],
      examples: leadExamples,
    },
  },
  success: {
    status: 202,
    description: 'The lead became an order, or had become one within the last 24 hours.',
    schema: LeadAccepted,
    example: leadAcceptedExample,
  },
  errors: [
    'invalid_body',
    'invalid_request',
    'invalid_consent_source',
    'invalid_phone',
    'insufficient_balance',
    'plan_inactive',
    'test_number_not_verified',
    'not_found',
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
    'unavailable',
    'suppression_unavailable',
    'rate_unavailable',
    'wallet_unavailable',
  ],
});
