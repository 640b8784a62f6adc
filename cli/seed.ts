// `svc seed --json`: makes sure of the demo workspace and prints how to use it. Safe to repeat.
import { openContext } from '../compose/create-context.ts';
import { prepareDatabase } from '../compose/prepare-database.ts';
import { createSeed } from '../domain/workspaces/seed-demo.ts';
import { sandboxPeople } from '../domain/workspaces/sandbox-people.ts';
import { ConfigError, loadConfig, loadSecrets } from '../platform/config.ts';
import { findRunning } from './find-running.ts';

export async function seedCommand(args: readonly string[]): Promise<number> {
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
    const { ctx, close } = openContext(
      'cli',
      withDatabase,
      loadSecrets(process.env, config.dataDir),
    );
    const seed = await createSeed(ctx);
    await close();
    const printed = {
      base_url: running.baseUrl,
      ...seed,
      trigger_url: `${running.baseUrl}/v1/hooks/lead/${seed.trigger_token}`,
      sandbox: sandboxPeople,
      trigger_token: undefined,
    };
    process.stdout.write(`${JSON.stringify(printed, null, args.includes('--json') ? 0 : 2)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  }
}
