// `npm start`: everything on one machine, with nothing configured.
import { destination } from 'pino';
import { ConfigError, loadConfig, loadSecrets } from '../platform/config.ts';
import { createLogger } from '../platform/log.ts';
import { acquireInstanceLock } from '../platform/single-instance.ts';
import { startSystem } from '../compose/start-system.ts';

try {
  const environment = { ...process.env, LOG_LEVEL: process.env['LOG_LEVEL'] || 'warn' };
  const config = loadConfig(environment);
  const lock = await acquireInstanceLock(config.dataDir);
  if (lock.kind === 'held')
    fail(
      `The service already runs on ${config.dataDir} (${lock.heldBy}). Set DATA_DIR to run another one.`,
    );
  const secrets = loadSecrets(environment, config.dataDir);
  const sink = destination({ dest: 2, sync: true });
  const log = createLogger({ level: config.logLevel, process: 'start', sink });
  const system = await startSystem({ config, secrets, environment, log });
  let stopping = false;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    await system.stop();
    if (lock.kind === 'acquired') await lock.release();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
  void system.failed.then(() => stop(1));
  process.stdout.write(`ready ${system.baseUrl}\n`);
} catch (error) {
  if (error instanceof ConfigError) fail(error.message);
  fail(error instanceof Error ? error.message : String(error));
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
