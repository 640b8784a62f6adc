// A Postgres of our own, from npm, for whoever sets no DATABASE_URL. Survives SIGKILL.
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findPostgresBinaries } from './embedded-postgres/binaries.ts';
import { createCluster } from './embedded-postgres/cluster.ts';
import { findPostgresUser, letThrough } from './embedded-postgres/os-user.ts';
import { stopLeftover } from './embedded-postgres/postmaster.ts';
import { startServer } from './embedded-postgres/server.ts';
import type { ServerExit } from './embedded-postgres/server.ts';
import { newToken } from './ids.ts';
import type { Logger } from './log.ts';

export interface EmbeddedPostgres {
  readonly url: string;
  /** How the server ended, asked or unasked; whoever needs it must then stop too. */
  readonly ended: Promise<ServerExit>;
  stop(): Promise<void>;
}

/** Everything lies in `dataDir`; callers hold the instance lock, so nobody else starts there. */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Logger;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const directory = join(dataDir, 'postgres');
  const found = await findPostgresUser(directory);
  const binaries = await findPostgresBinaries(found);
  if (found) {
    // The other user passes through, but can neither list nor read what lies there (files are 0600).
    await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
  }
  const user = found && (await letThrough(found, directory));
  const password = await keptPassword(join(dataDir, 'postgres-password'));
  await createCluster({ binaries, user, directory, password, log });
  await stopLeftover(directory, log);
  const server = await startServer({
    binaries,
    user,
    directory,
    logFile: join(dataDir, 'postgres.log'),
    log,
  });
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`,
    ended: server.ended,
    stop: () => server.stop(),
  };
}

async function keptPassword(file: string): Promise<string> {
  try {
    await writeFile(file, newToken(24), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
