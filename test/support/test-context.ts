// A real context on a test's own database; only the outside world is chosen by the test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInCalendar } from '../../adapters/calendars/built-in/built-in-calendar.ts';
import { createRateDeckFile } from '../../adapters/rate-decks/rate-deck-file.ts';
import { createDiskStore } from '../../adapters/stores/disk-store.ts';
import type { Payments } from '../../domain/billing/payments.ts';
import type { OpenCalendar } from '../../domain/calls/calendar.ts';
import type { Context, Settings } from '../../domain/context.ts';
import type { Analyst } from '../../domain/calls/analyst.ts';
import { claimDue } from '../../domain/orders/claim-due.ts';
import { webhookUrlProblem } from '../../domain/webhooks/guard-url.ts';
import type { Clock } from '../../platform/clock.ts';
import { shippedRateDeckFile } from '../../platform/config.ts';
import { createLogger } from '../../platform/log.ts';
import { createTestDatabase } from './database.ts';
import {
  callbacksThatMustNotCome,
  carrierThatMustNotRing,
  numbersThatMustNotBeBought,
} from './must-not-happen.ts';
import { runTask } from './run-task.ts';

export interface TestContext {
  readonly ctx: Context;
  readonly databaseUrl: string;
  /** Works everything that is due now, and what that makes due, like the jobs do. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export async function createTestContext(options: {
  clock: Clock;
  carrier?: Context['carrier'];
  carrierCallbacks?: Context['carrierCallbacks'];
  rateDecks?: Context['rateDecks'];
  payments?: Payments;
  analyst?: Analyst;
  numbers?: Context['numbers'];
  settings?: Partial<Settings>;
  wakeJobs?: (dueAt: Date) => void;
  openCalendar?: OpenCalendar;
}): Promise<TestContext> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'service-recordings-'));
  const { db, url } = database;
  const log = createLogger({ level: 'fatal', process: 'test' });
  const ctx: Context = {
    db,
    clock: options.clock,
    log,
    settings: {
      simulationSpeed: 1,
      publicUrl: 'http://127.0.0.1:1',
      gatewayPublicUrl: 'ws://127.0.0.1:1',
      webhookAllowLocalUrls: true,
      ringsSandbox: true,
      carrierCallsPerSecond: null,
      ...options.settings,
    },
    appSecret: 'the application secret of tests, 32 characters or more',
    carrier: options.carrier ?? carrierThatMustNotRing(),
    carrierCallbacks: options.carrierCallbacks ?? callbacksThatMustNotCome(),
    rateDecks:
      options.rateDecks ??
      createRateDeckFile({ path: shippedRateDeckFile, clock: options.clock, log }),
    openCalendar: options.openCalendar ?? (() => builtInCalendar),
    analyst: options.analyst ?? null,
    numbers: options.numbers ?? numbersThatMustNotBeBought(),
    recordings: createDiskStore(dataDir),
    payments: options.payments ?? null,
    wakeJobs: options.wakeJobs ?? (() => {}),
    readiness: async () => ({ database: true, queue: true }),
    webhookUrlProblem: (text) => webhookUrlProblem(text, { allowLocal: true }),
  };
  return {
    ctx,
    databaseUrl: url,
    drain: () => drain(ctx),
    async close() {
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const roundsMax = 50;

async function drain(ctx: Context): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const { tasks } = await claimDue(ctx);
    if (tasks.length === 0) return;
    for (const task of tasks) await runTask(ctx, task);
  }
  throw new Error('There is always something due.');
}
