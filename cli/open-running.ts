// The context of the running system, for one command.
import { openContext, type OpenContext } from '../compose/create-context.ts';
import { prepareDatabase } from '../compose/prepare-database.ts';
import { ConfigError, loadConfig, loadSecrets } from '../platform/config.ts';
import { findRunning, type RunningSystem } from './find-running.ts';

/** Runs the command against the system that runs; says what is missing and answers 1 when none does. */
export async function withRunning(
  command: (ctx: OpenContext['ctx'], running: RunningSystem) => Promise<number>,
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
      return await command(ctx, running);
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
