// The composition root: the database, the clock and the adapters that the config names.
import { join } from 'node:path';
import { destination } from 'pino';
import { createChatAnalyst } from '../adapters/analysts/chat-analyst.ts';
import { createRateDeckFile } from '../adapters/rate-decks/rate-deck-file.ts';
import { createStripePayments } from '../adapters/payments/stripe/stripe-payments.ts';
import { createDiskStore } from '../adapters/stores/disk-store.ts';
import type { Context } from '../domain/context.ts';
import { webhookUrlProblem } from '../domain/webhooks/guard-url.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config, Secrets } from '../platform/config.ts';
import { openDatabase, type Db } from '../platform/db.ts';
import { createJobHints } from '../platform/job-hints.ts';
import { createLogger } from '../platform/log.ts';
import { createCalendars } from './create-calendars.ts';
import { createCarrier } from './create-carrier.ts';

const poolSizes = { server: 20, jobs: 20, 'voice-gateway': 10, cli: 4 } as const;

export type ProcessName = keyof typeof poolSizes;

export interface OpenContext {
  readonly ctx: Context;
  readonly close: () => Promise<void>;
}

/** Everything a process needs to run verbs; close it last. */
export function openContext(
  process: ProcessName,
  config: Config & { readonly databaseUrl: string },
  secrets: Secrets,
): OpenContext {
  // Standard output belongs to what the user asked for; logs go to standard error.
  const sink = destination({ dest: 2, sync: true });
  const log = createLogger({ level: config.logLevel, process, sink });
  const clock = systemClock(config.clockOffsetMs);
  const db = openDatabase({
    url: config.databaseUrl,
    poolSize: poolSizes[process],
    application: process,
    onNotice: (message) => log.debug({ message }, 'database notice'),
  });
  const hints = createJobHints(db, clock, log);
  const allowLocal = config.webhookAllowLocalUrls;
  const ctx: Context = {
    db,
    clock,
    log,
    settings: {
      simulationSpeed: config.simulationSpeed,
      publicUrl: config.publicUrl,
      gatewayPublicUrl: config.gatewayPublicUrl,
      webhookAllowLocalUrls: allowLocal,
      ringsSandbox: config.carrier === 'sandbox',
      carrierCallsPerSecond: config.carrierCallsPerSecond,
    },
    appSecret: secrets.appSecret,
    ...createCarrier(config, secrets, clock),
    rateDecks: createRateDeckFile({ path: config.rateDeckFile, clock, log }),
    openCalendar: createCalendars(config, clock),
    analyst: config.llm && createChatAnalyst(config.llm),
    recordings: createDiskStore(join(config.dataDir, 'recordings')),
    payments: config.stripe && createStripePayments(config.stripe),
    wakeJobs: hints.wake,
    readiness: () => readiness(db),
    webhookUrlProblem: (url) => webhookUrlProblem(url, { allowLocal }),
  };
  return {
    ctx,
    async close() {
      await hints.close();
      await db.end({ timeout: 5 });
    },
  };
}

async function readiness(db: Db): Promise<{ database: boolean; queue: boolean }> {
  const answers = async (question: () => Promise<unknown>) => {
    try {
      await question();
      return true;
    } catch {
      return false;
    }
  };
  const [database, queue] = await Promise.all([
    answers(() => db`select 1 from workspaces limit 1`),
    answers(() => db`select 1 from graphile_worker.jobs limit 1`),
  ]);
  return { database, queue };
}
