// What the dial benchmark runs on: Postgres, the sandbox network and the jobs, each a process of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { prepareDatabase } from '../../compose/prepare-database.ts';
import { findFreePort } from '../../platform/free-port.ts';
import { newToken } from '../../platform/ids.ts';
import { startBenchPostgres } from '../bench-postgres.ts';
import { superviseProcess } from '../../platform/supervise.ts';

export interface DialSystem {
  readonly databaseUrl: string;
  readonly appSecret: string;
  jobsRssMb(): Promise<number>;
  stop(): Promise<void>;
}

export async function startDialSystem(): Promise<DialSystem> {
  const postgres = await startBenchPostgres('dial');
  await prepareDatabase(postgres.url);
  const appSecret = newToken(32);
  const environment = {
    DATA_DIR: postgres.dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'error',
    SANDBOX_PORT: String(await findFreePort(18_900)),
    SIMULATION_SPEED: '1000',
  };
  const sandbox = await superviseProcess({
    name: 'sandbox',
    command: process.execPath,
    args: [fileURLToPath(new URL('../../compose/sandbox-main.ts', import.meta.url))],
    env: environment,
    log: postgres.log,
    restart: false,
  });
  await sendNoCallbacks(environment.SANDBOX_PORT);
  const jobs = await startJobsProcess({ environment, appSecret, databaseUrl: postgres.url });
  return {
    databaseUrl: postgres.url,
    appSecret,
    jobsRssMb: () => jobs.rssMb(),
    async stop() {
      jobs.kill();
      await sandbox.stop();
      await postgres.stop();
    },
  };
}

/** Callbacks are of the time after the dial; the network keeps them to itself. */
async function sendNoCallbacks(sandboxPort: string) {
  const response = await fetch(`http://127.0.0.1:${sandboxPort}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callbacks: { send: 'never' } }),
  });
  if (!response.ok) throw new Error('The sandbox takes no orders.');
}

async function startJobsProcess(options: object) {
  const file = fileURLToPath(new URL('worker.ts', import.meta.url));
  const child = fork(file, [JSON.stringify(options)]);
  await once(child, 'message');
  return {
    async rssMb() {
      child.send('memory');
      const [answer] = (await once(child, 'message')) as [{ rssMb: number }];
      return answer.rssMb;
    },
    kill: () => child.kill(),
  };
}
