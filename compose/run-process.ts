// The life of one process: config, context, serve, drain on a signal, stop.
import {
  loadConfig,
  loadSecrets,
  ConfigError,
  type Config,
  type Secrets,
} from '../platform/config.ts';
import { onParentGone, tellReady } from '../platform/supervise.ts';
import { systemClock } from '../platform/clock.ts';
import { openContext, type OpenContext, type ProcessName } from './create-context.ts';
import { prepareDatabase } from './prepare-database.ts';

/** Past the drain, what still runs is cut off. */
const hardStopExtraMs = 8_000;

export interface Running {
  /** Takes no new work, finishes what runs. */
  stop(): Promise<void>;
  /** Settles only when the process cannot go on. */
  readonly failed?: Promise<never>;
}

export interface Boot extends OpenContext {
  readonly config: Config & { readonly databaseUrl: string };
  readonly secrets: Secrets;
}

/** Starts a process that serves until it is told to stop; a failure ends it non-zero, for the supervisor. */
export async function runProcess(name: ProcessName, serve: (boot: Boot) => Promise<Running>) {
  const boot = await bootOrExit(name);
  const { log } = boot.ctx;
  const die = (err: unknown) => {
    log.fatal({ err }, 'process cannot go on');
    process.exit(1);
  };
  process.on('uncaughtException', die).on('unhandledRejection', die);
  const running = await serve(boot).catch(die);
  if (!running) return;
  running.failed?.catch(die);
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopAndExit(boot, running));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
  onParentGone(() => void stop());
  tellReady();
  log.info({ port: name === 'jobs' ? undefined : portOf(name, boot.config) }, 'process is ready');
}

async function stopAndExit(boot: Boot, running: Running) {
  const patienceMs = boot.config.drainSeconds * 1000 + hardStopExtraMs;
  systemClock().setTimer(() => process.exit(1), patienceMs);
  await running.stop();
  await boot.close();
  process.exit(0);
}

async function bootOrExit(name: ProcessName): Promise<Boot> {
  try {
    const config = loadConfig(process.env);
    if (!config.databaseUrl)
      throw new ConfigError('DATABASE_URL: is required (npm start brings its own)');
    const withDatabase = { ...config, databaseUrl: config.databaseUrl };
    const secrets = loadSecrets(process.env, config.dataDir);
    await prepareDatabase(config.databaseUrl);
    return { config: withDatabase, secrets, ...openContext(name, withDatabase, secrets) };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function portOf(name: ProcessName, config: Config): number {
  return name === 'voice-gateway' ? config.gatewayPort : config.port;
}
