// The agents of a workspace, as far as placing orders needs them.
import { z } from 'zod';
import { OrderCadence } from './orders.ts';
import { timestamp } from './outcome.ts';
import { openEnum } from './text.ts';

export const NOT_CALLABLE_REASONS = [
  'agent_inactive',
  'agent_not_published',
  'no_caller_id',
] as const;
export type NotCallableReason = (typeof NOT_CALLABLE_REASONS)[number];

const Question = z
  .object({
    key: z.string().meta({ description: 'Names the answer in `extracted_answers`.' }),
    question: z.string().meta({ description: 'As the agent asks it.' }),
    type: openEnum(
      ['yes_no', 'number', 'choice', 'text'],
      'What kind of answer is expected. New values may appear.',
    ),
    required: z.boolean().meta({ description: 'Whether a lead must answer it to qualify.' }),
  })
  .meta({ id: 'AgentQuestion', description: 'One question of an agent.' });

export const Agent = z
  .object({
    agent_id: z.string().meta({ description: 'Identifier of the agent.' }),
    name: z.string().meta({ description: 'Its name.' }),
    active: z.boolean().meta({ description: 'Whether it is switched on.' }),
    published: z.boolean().meta({ description: 'Whether it was ever published.' }),
    published_at: timestamp('When its present version was published; null before.').nullable(),
    version: z.int().min(1).nullable().meta({
      description: 'The version that new orders use; null when it was never published.',
    }),
    callable: z.boolean().meta({ description: 'Whether it can place calls now.' }),
    not_callable_reason: openEnum(
      NOT_CALLABLE_REASONS,
      'Why it cannot; null when it can. New values may appear.',
    ).nullable(),
    language: z.string().nullable().meta({ description: 'Language that it speaks.' }),
    timezone: z.string().nullable().meta({ description: 'IANA time zone that it works in.' }),
    questions: z.array(Question).meta({ description: 'What it asks, in order.' }),
    cadence_defaults: OrderCadence.nullable().meta({
      description: 'What an order gets that leaves `cadence` out; null before it was published.',
    }),
    calendar_connected: z.boolean().meta({ description: 'Whether it can book appointments.' }),
    caller_numbers: z
      .array(z.string())
      .meta({ description: 'Numbers that its calls come from, in E.164.' }),
    created_at: timestamp('When it was made.'),
    updated_at: timestamp('When it was last changed.'),
  })
  .meta({ id: 'Agent', description: 'An automated voice caller of the workspace.' });
export type Agent = z.infer<typeof Agent>;

export const AgentList = z
  .object({
    success: z.literal(true).meta({ description: 'Always true.' }),
    agents: z.array(Agent).meta({ description: 'All agents of the workspace, by name.' }),
  })
  .meta({ id: 'AgentList', description: 'The agents of the workspace.' });
export type AgentList = z.infer<typeof AgentList>;
