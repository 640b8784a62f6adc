// Brings a database up to date: our tables first, then the queue's.
import { fileURLToPath } from 'node:url';
import { runMigrations } from 'graphile-worker';
import { migrate } from '../platform/migrate.ts';

const migrations = fileURLToPath(new URL('../platform/migrations', import.meta.url));

/** Safe to run by several processes at once. */
export async function prepareDatabase(databaseUrl: string): Promise<void> {
  await migrate(databaseUrl, migrations);
  await runMigrations({
    connectionString: databaseUrl,
    preset: { worker: { schema: 'graphile_worker' } },
  });
}
