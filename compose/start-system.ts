// All processes of one installation, started in order and stopped in reverse.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSeed } from '../domain/workspaces/seed-demo.ts';
import { systemClock } from '../platform/clock.ts';
import { ConfigError, type Config, type Secrets } from '../platform/config.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { becomesFree, findFreePort } from '../platform/free-port.ts';
import type { Logger } from '../platform/log.ts';
import { superviseProcess, type SupervisedProcess } from '../platform/supervise.ts';
import { openContext } from './create-context.ts';
import { prepareDatabase } from './prepare-database.ts';

/** Asked-for ports may still be held by the ending processes of a killed run. */
const portPatienceMs = 10_000;

export const runningFile = 'running.json';

export interface System {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly sandboxUrl: string;
  /** Process id of a running part, by name. */
  readonly pidOf: (part: string) => number | undefined;
  /** Resolves when a part ended that cannot be started again. */
  readonly failed: Promise<unknown>;
  stop(): Promise<void>;
}

/** Resolves when orders can be placed. */
export async function startSystem(options: {
  config: Config;
  secrets: Secrets;
  environment: NodeJS.ProcessEnv;
  log: Logger;
}): Promise<System> {
  const { secrets, log } = options;
  const ports = await choosePorts(options.config, options.environment);
  const stops: (() => Promise<unknown>)[] = [];
  const parts = new Map<string, SupervisedProcess>();
  const stop = async () => {
    for (const stopPart of stops.splice(0).toReversed())
      await stopPart().catch((err: unknown) => log.error({ err }, 'a part did not stop'));
  };
  try {
    const postgres = options.config.databaseUrl
      ? null
      : await startEmbeddedPostgres({ dataDir: options.config.dataDir, log });
    if (postgres) stops.push(() => postgres.stop());
    const databaseUrl = options.config.databaseUrl ?? postgres?.url ?? '';
    await prepareDatabase(databaseUrl);
    const config = { ...options.config, ...ports, databaseUrl };
    await seed(config, secrets);
    const environment = childEnvironment(options.environment, config, secrets);
    const start = async (name: string, file: string) => {
      const child = await superviseProcess({
        name,
        command: process.execPath,
        args: [fileURLToPath(new URL(`../${file}`, import.meta.url))],
        env: environment,
        log,
        restart: true,
      });
      stops.push(() => child.stop());
      parts.set(name, child);
      return child;
    };
    await startParts(config, start);
    const baseUrl = `http://127.0.0.1:${config.port}`;
    const file = join(config.dataDir, runningFile);
    const running = {
      base_url: baseUrl,
      database_url: databaseUrl,
      gateway_port: config.gatewayPort,
      sandbox_port: config.sandboxPort,
    };
    await writeFile(file, JSON.stringify(running), { mode: 0o600 });
    stops.push(() => rm(file, { force: true }));
    return {
      baseUrl,
      databaseUrl,
      sandboxUrl: `http://127.0.0.1:${config.sandboxPort}`,
      pidOf: (part) => parts.get(part)?.pid(),
      failed: postgres?.ended ?? new Promise(() => {}),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(config: Config, start: (name: string, file: string) => Promise<unknown>) {
  if (config.carrier === 'sandbox') await start('sandbox', 'compose/sandbox-main.ts');
  await Promise.all([
    start('voice-gateway', 'voice-gateway/main.ts'),
    start('jobs', 'jobs/main.ts'),
    start('server', 'server/main.ts'),
  ]);
}

/** Ports that were not asked for move out of the way; one that was asked for must be free. */
async function choosePorts(config: Config, environment: NodeJS.ProcessEnv) {
  const clock = systemClock();
  if (!(await becomesFree(config.port, clock, portPatienceMs)))
    throw new ConfigError(`PORT: ${config.port} is in use`);
  const choose = async (name: 'GATEWAY_PORT' | 'SANDBOX_PORT', wanted: number) => {
    if (!environment[name]) return findFreePort(wanted);
    if (!(await becomesFree(wanted, clock, portPatienceMs)))
      throw new ConfigError(`${name}: ${wanted} is in use`);
    return wanted;
  };
  const gatewayPort = await choose('GATEWAY_PORT', config.gatewayPort);
  return {
    gatewayPort,
    sandboxPort: await choose('SANDBOX_PORT', Math.max(config.sandboxPort, gatewayPort + 1)),
  };
}

function childEnvironment(
  environment: NodeJS.ProcessEnv,
  config: Config & { databaseUrl: string },
  secrets: Secrets,
) {
  return {
    ...environment,
    DATABASE_URL: config.databaseUrl,
    DATA_DIR: config.dataDir,
    APP_SECRET: secrets.appSecret,
    GATEWAY_PORT: String(config.gatewayPort),
    SANDBOX_PORT: String(config.sandboxPort),
  };
}

/** The demo workspace stands there from the first start. */
async function seed(config: Config & { databaseUrl: string }, secrets: Secrets) {
  const { ctx, close } = openContext('cli', config, secrets);
  try {
    await createSeed(ctx);
  } finally {
    await close();
  }
}
