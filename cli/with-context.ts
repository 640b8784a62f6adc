// Runs a command against the running system; what is wrong with the environment is told and not thrown.
import { openContext } from '../compose/create-context.ts';
import { prepareDatabase } from '../compose/prepare-database.ts';
import type { Context } from '../domain/context.ts';
import { ConfigError, loadConfig, loadSecrets } from '../platform/config.ts';
import { findRunning, type RunningSystem } from './find-running.ts';

/** The exit code of the process. */
export async function withContext(
  run: (ctx: Context, running: RunningSystem) => Promise<number>,
): Promise<number> {
  try {
    const config = loadConfig(process.env);
    const running = await findRunning(config);
    if (!running) {
      process.stderr.write(
        'No running system was found: start one with `npm start`, or set DATABASE_URL.\n',
      );
      return 1;
    }
    await prepareDatabase(running.databaseUrl);
    const withDatabase = { ...config, databaseUrl: running.databaseUrl, logLevel: 'error' };
    const secrets = loadSecrets(process.env, config.dataDir);
    const { ctx, close } = openContext('cli', withDatabase, secrets);
    try {
      return await run(ctx, running);
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
