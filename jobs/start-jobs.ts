// Runs the queue with settings that survive lost connections and dead workers.
import { Logger as WorkerLogger, run } from 'graphile-worker';
import { Pool } from 'pg';
import type { Context } from '../domain/context.ts';
import { taskList } from './tasks.ts';

const limits = {
  concurrency: 20,
  pollIntervalMs: 1_000,
  queryTimeoutMs: 5_000,
  connectTimeoutMs: 5_000,
  /** Short lives end half-open connections that never answer. */
  connectionLifetimeSeconds: 30,
  abortAfterMs: 10_000,
} as const;

/** A day on which no process ran is made up for. */
const crontab = `
* * * * * pump
*/5 * * * * look_up_deposits
23 * * * * charge_rents
43 * * * * prove_wallets
17 3 * * * delete_expired_recordings ?fill=1d`;

export async function startJobs(ctx: Context, databaseUrl: string, tasks = taskList(ctx)) {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: limits.concurrency + 4,
    query_timeout: limits.queryTimeoutMs,
    connectionTimeoutMillis: limits.connectTimeoutMs,
    maxLifetimeSeconds: limits.connectionLifetimeSeconds,
    keepAlive: true,
    application_name: 'jobs-queue',
  });
  const lost = (err: Error) => ctx.log.warn({ err }, 'queue connection was lost');
  pool.on('error', lost).on('connect', (client) => client.on('error', lost));
  const runner = await run({
    pgPool: pool,
    taskList: tasks,
    crontab,
    noHandleSignals: true,
    logger: workerLogger(ctx),
    preset: {
      worker: {
        concurrentJobs: limits.concurrency,
        pollInterval: limits.pollIntervalMs,
        gracefulShutdownAbortTimeout: limits.abortAfterMs,
        // Batched completion shuts the pool down on one lost connection (graphile/worker#636).
        completeJobBatchDelay: -1,
        failJobBatchDelay: -1,
      },
    },
  });
  let stopping = false;
  // The promise also resolves when the pool died (graphile/worker#635): any end not asked for is fatal.
  const failed = runner.promise.then(
    () =>
      stopping
        ? new Promise<never>(() => {})
        : Promise.reject(new Error('the queue ended unasked')),
    (error: unknown) => (stopping ? new Promise<never>(() => {}) : Promise.reject(error)),
  );
  return {
    failed,
    async stop() {
      stopping = true;
      await runner.stop();
      await pool.end();
    },
  };
}

function workerLogger(ctx: Context): WorkerLogger {
  return new WorkerLogger((scope) => (level, message) => {
    const fields = { queueLevel: level, task: scope.taskIdentifier, message };
    if (level === 'error') ctx.log.error(fields, 'queue message');
    else if (level === 'warning') ctx.log.warn(fields, 'queue message');
    else ctx.log.trace(fields, 'queue message');
  });
}
