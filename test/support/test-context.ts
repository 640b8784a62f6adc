// A real context on a test's own database; only the outside world is chosen by the test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBuiltInCalendar } from '../../adapters/calendars/built-in-calendar.ts';
import { createDiskStore } from '../../adapters/stores/disk-store.ts';
import type { Carrier, CarrierCallbacks, Texts } from '../../domain/calls/carrier.ts';
import type { Numbers } from '../../domain/calls/numbers.ts';
import type { Context, Settings } from '../../domain/context.ts';
import { claimDue } from '../../domain/orders/claim-due.ts';
import { dialOrder } from '../../domain/orders/dial-order.ts';
import { reconcileAttempt } from '../../domain/orders/reconcile-attempt.ts';
import { sendVoicemailText } from '../../domain/orders/send-voicemail-text.ts';
import { storeRecording } from '../../domain/orders/store-recording.ts';
import { deliverWebhook } from '../../domain/webhooks/deliver-webhook.ts';
import { webhookUrlProblem } from '../../domain/webhooks/guard-url.ts';
import type { Clock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/log.ts';
import { createTestDatabase } from './database.ts';

export interface TestContext {
  readonly ctx: Context;
  readonly databaseUrl: string;
  /** Works everything that is due now, and what that makes due, like the jobs do. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export async function createTestContext(options: {
  clock: Clock;
  carrier?: Carrier & Texts;
  carrierCallbacks?: CarrierCallbacks;
  numbers?: Numbers;
  settings?: Partial<Settings>;
  wakeJobs?: (dueAt: Date) => void;
}): Promise<TestContext> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'service-recordings-'));
  const { db, url } = database;
  const ctx: Context = {
    db,
    clock: options.clock,
    log: createLogger({ level: 'fatal', process: 'test' }),
    settings: {
      simulationSpeed: 1,
      publicUrl: 'http://127.0.0.1:1',
      gatewayPublicUrl: 'ws://127.0.0.1:1',
      webhookAllowLocalUrls: true,
      ...options.settings,
    },
    appSecret: 'the application secret of tests, 32 characters or more',
    carrier: options.carrier ?? carrierThatMustNotRing(),
    carrierCallbacks: options.carrierCallbacks ?? callbacksThatMustNotCome(),
    numbers: options.numbers ?? numbersThatMustNotBeBought(),
    calendar: createBuiltInCalendar(db, options.clock),
    recordings: createDiskStore(dataDir),
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
    for (const task of tasks) {
      if (task.task === 'dial_order') await dialOrder(ctx, task);
      else if (task.task === 'reconcile_attempt') await reconcileAttempt(ctx, task, 'due');
      else if (task.task === 'deliver_webhook') await deliverWebhook(ctx, task);
      else if (task.task === 'send_text') await sendVoicemailText(ctx, task);
      else await storeRecording(ctx, task);
    }
  }
  throw new Error('There is always something due.');
}

function carrierThatMustNotRing(): Carrier & Texts {
  const refuse = () => Promise.reject(new Error('This test must not reach a carrier.'));
  return { name: 'none', placeCall: refuse, findCall: refuse, endCall: refuse, sendText: refuse };
}

function numbersThatMustNotBeBought(): Numbers {
  const refuse = () => Promise.reject(new Error('This test must not reach a carrier.'));
  return {
    searchNumbers: refuse,
    buyNumber: refuse,
    findNumber: refuse,
    listNumbers: refuse,
    releaseNumber: refuse,
  };
}

function callbacksThatMustNotCome(): CarrierCallbacks {
  const unreadable = () => ({ kind: 'unreadable' as const });
  return { readCall: unreadable, readMachineDetection: unreadable, verifyUpgrade: () => false };
}
