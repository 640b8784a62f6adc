// Runs a command with the context of the running system, or says that none was found.
import { openContext } from '../compose/create-context.ts';
import type { Context } from '../domain/context.ts';
import { ConfigError, loadConfig, loadSecrets } from '../platform/config.ts';
import { findRunning } from './find-running.ts';

export async function withRunning(command: (ctx: Context) => Promise<number>): Promise<number> {
  try {
    const running = await findRunning(loadConfig(process.env));
    if (!running) {
      process.stderr.write(
        'No running system was found: start one with `npm start`, or set DATABASE_URL.\n',
      );
      return 1;
    }
    // The sandbox may have moved out of the way of another.
    const port =
      running.sandboxPort === undefined ? {} : { SANDBOX_PORT: `${running.sandboxPort}` };
    const config = loadConfig({ ...process.env, ...port });
    const secrets = loadSecrets(process.env, config.dataDir);
    const { ctx, close } = openContext(
      'cli',
      { ...config, databaseUrl: running.databaseUrl, logLevel: 'error' },
      secrets,
    );
    try {
      return await command(ctx);
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
