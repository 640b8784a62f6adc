// Makes the data directory on first use.
import { spawn } from 'node:child_process';
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../log.ts';
import type { PostgresBinaries } from './binaries.ts';
import { commandAs, type OsUser, type RunAs } from './os-user.ts';

const majorVersion = '18';

export interface ClusterOptions {
  readonly binaries: PostgresBinaries;
  readonly user: RunAs | null;
  readonly directory: string;
  readonly password: string;
  readonly log: Logger;
}

/** Does nothing when the directory is there; a half-made one never bears the final name. */
export async function createCluster(options: ClusterOptions): Promise<void> {
  const { directory, log } = options;
  const version = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(missingFile);
  if (version !== null) {
    if (version.trim() === majorVersion) return;
    throw new Error(
      `${directory} belongs to Postgres ${version.trim()}, this release brings ${majorVersion}: ` +
        'dump it with the older release and load it into this one.',
    );
  }
  log.info({ directory }, 'creating the embedded database');
  const unfinished = `${directory}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const passwordFile = `${directory}.initial-password`;
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  try {
    await prepareDirectory(unfinished, passwordFile, options.user);
    await runInitdb(options, unfinished, passwordFile);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, directory);
}

async function prepareDirectory(folder: string, passwordFile: string, user: OsUser | null) {
  await mkdir(folder, { mode: 0o700 });
  if (!user) return;
  await chown(folder, user.uid, user.gid);
  await chown(passwordFile, user.uid, user.gid);
}

function runInitdb(
  { binaries, user }: ClusterOptions,
  directory: string,
  passwordFile: string,
): Promise<void> {
  const { command, args, as } = commandAs(user, binaries.initdb, [
    `--pgdata=${directory}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The same order and upper case on every machine, whatever locales it has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ]);
  const initdb = spawn(command, args, { ...as, env: { LC_ALL: 'C' } });
  let complaints = '';
  initdb.stdout.resume();
  initdb.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  return new Promise((resolve, reject) => {
    initdb.once('error', reject);
    initdb.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`initdb failed: ${complaints.trim()}`)),
    );
  });
}

function missingFile(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
