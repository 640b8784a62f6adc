// Who a key speaks for, and what it may do now.
import { z } from 'zod';
import { count, timestamp } from './outcome.ts';
import { openEnum } from './text.ts';

export const BLOCKED_REASONS = [
  'plan_inactive',
  'insufficient_balance',
  'wallet_unavailable',
  'rate_limited',
] as const;
export type BlockedReason = (typeof BLOCKED_REASONS)[number];

const Wallet = z
  .object({
    balance_cents: count('What was paid in and not yet spent, rounded down.'),
    held_cents: count('Set aside for calls that run now, rounded up.'),
    available_cents: count('Balance without what is held, rounded down.'),
    unpaid_rent_cents: count(
      'Rent of caller numbers that fell due and could not be paid; 0 when all is paid. Calling pauses when it is ' +
        'unpaid for 7 days, until a deposit pays it.',
    ),
    currency: z.literal('USD').meta({ description: 'Always US dollars.' }),
  })
  .meta({ id: 'Wallet', description: 'The money of the workspace.' });

export const Me = z
  .object({
    success: z.literal(true).meta({ description: 'Always true.' }),
    workspace: z
      .object({
        id: z.string().meta({ description: 'Identifier of the workspace.' }),
        name: z.string().meta({ description: 'Its name.' }),
        timezone: z.string().meta({ description: 'Its IANA time zone.' }),
      })
      .meta({ description: 'The workspace of the key.' }),
    key: z
      .object({
        id: z.string().meta({ description: 'Identifier of the key.' }),
        name: z.string().meta({ description: 'Its name.' }),
        mode: z.enum(['live', 'test']).meta({ description: 'Whether its orders ring phones.' }),
        last4: z.string().meta({ description: 'Its last four characters.' }),
        created_at: timestamp('When it was made.'),
      })
      .meta({ description: 'The key of this request.' }),
    plan: z
      .object({
        status: z.enum(['active', 'past_due', 'inactive']).meta({
          description: 'With `past_due`, orders are taken and wait.',
        }),
      })
      .meta({ description: 'The plan of the workspace.' }),
    wallet: Wallet.nullable().meta({ description: 'null when it cannot be read right now.' }),
    can_place_orders: z.boolean().meta({
      description: 'Whether an order with this key would be taken as far as the account goes.',
    }),
    blocked_reason: openEnum(
      BLOCKED_REASONS,
      'The error code that an order would get; null when it would be taken. New values may appear.',
    ).nullable(),
    limits: z
      .object({
        live_calls: z
          .object({
            limit: count('Live calls at the same time, at most; further orders wait.'),
            current: count('Live calls that run now, inbound ones among them.'),
          })
          .meta({ description: 'Calls of the workspace.' }),
        test_orders: z
          .object({
            limit: count('Orders with test keys in 24 hours, at most.'),
            used: count('Orders with test keys in the last 24 hours.'),
          })
          .meta({ description: 'Orders of the test keys of the workspace.' }),
        reads_per_minute: count('Read requests of the workspace in a minute, at most.'),
      })
      .meta({ description: 'What the workspace may do, and what it has used of it.' }),
  })
  .meta({ id: 'Me', description: 'The workspace and the key behind a request.' });
export type Me = z.infer<typeof Me>;
