// Runs one command against the running system, and prints a refusal as one line instead of a stack.
import { openContext } from '../compose/create-context.ts';
import { prepareDatabase } from '../compose/prepare-database.ts';
import { AppError } from '../domain/app-error.ts';
import type { Context } from '../domain/context.ts';
import { ConfigError, loadConfig, loadSecrets } from '../platform/config.ts';
import { findRunning, type RunningSystem } from './find-running.ts';

/** Thrown by a command that was called wrongly; its message says how it is called. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Answers the exit code: the command's own, 1 when it was refused, 2 when it was called wrongly. */
export async function onRunningSystem(
  run: (ctx: Context, running: RunningSystem) => Promise<number>,
): Promise<number> {
  try {
    const running = await findRunning(loadConfig(process.env));
    if (!running)
      throw new ConfigError(
        'No running system was found: start one with `npm start`, or set DATABASE_URL.',
      );
    const { databaseUrl, baseUrl, sandboxPort } = running;
    // The sandbox may have moved out of the way of another.
    const config = loadConfig({ ...process.env, SANDBOX_PORT: `${sandboxPort}` });
    await prepareDatabase(databaseUrl);
    const secrets = loadSecrets(process.env, config.dataDir);
    // Where the browser of a customer finds us, unless the operator says it.
    const publicUrl = process.env['PUBLIC_URL'] ? config.publicUrl : baseUrl;
    const here = { ...config, databaseUrl, publicUrl, logLevel: 'error' };
    const { ctx, close } = openContext('cli', here, secrets);
    try {
      return await run(ctx, running);
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof UsageError || isParseError(error)) return complain(error.message, 2);
    if (error instanceof ConfigError) return complain(error.message, 1);
    if (error instanceof AppError) return complain(`${error.code}: ${error.message}`, 1);
    throw error;
  }
}

/** What node:util's parseArgs throws. */
function isParseError(error: unknown): error is Error {
  return (
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  );
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`${message}\n`);
  return exitCode;
}
