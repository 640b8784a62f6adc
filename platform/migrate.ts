// Brings a database to the newest schema: numbered files, each once, in its own transaction.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';

const limits = {
  /** A migration must not queue behind a long query and hold up everybody else meanwhile. */
  lockTimeout: '2s',
  connectTimeoutSeconds: 10,
} as const;

/** Any number, the same in every release, that nobody else locks. */
const advisoryLock = 7_311_004_662;

const filePattern = /^(\d{4})-[a-z0-9-]+\.sql$/;

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly statements: string;
  readonly checksum: string;
}

type Ledger = ReadonlyMap<number, { readonly name: string; readonly checksum: string }>;

/** Answers the names of the files that it applied; safe to run from several processes at once. */
export async function migrate(databaseUrl: string, directory: string): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const sql = postgres(databaseUrl, {
    max: 1,
    connect_timeout: limits.connectTimeoutSeconds,
    onnotice: () => undefined,
  });
  try {
    await createLedger(sql);
    const applied: string[] = [];
    for (const migration of pending(migrations, await readLedger(sql)))
      if (await apply(sql, migration)) applied.push(migration.name);
    return applied;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted();
  const migrations: Migration[] = [];
  for (const name of names) {
    const digits = filePattern.exec(name)?.[1];
    if (digits === undefined) throw new MigrationError(`${name}: must be named NNNN-name.sql`);
    const number = Number(digits);
    const twin = migrations.find((other) => other.number === number);
    if (twin) throw new MigrationError(`${name}: has the same number as ${twin.name}`);
    const statements = await readFile(join(directory, name), 'utf8');
    const checksum = createHash('sha256').update(statements).digest('hex');
    migrations.push({ number, name, statements, checksum });
  }
  return migrations;
}

async function createLedger(sql: postgres.Sql): Promise<void> {
  // "if not exists" alone still collides when two processes start on an empty database.
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${advisoryLock})`;
    await transaction`
      create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`;
  });
}

async function readLedger(sql: postgres.Sql | postgres.TransactionSql): Promise<Ledger> {
  const rows = await sql<{ number: number; name: string; checksum: string }[]>`
    select number, name, checksum from schema_migrations order by number`;
  return new Map(rows.map((row) => [row.number, row]));
}

/** Numbers that only the database knows belong to a newer release, which may run beside us. */
function pending(migrations: readonly Migration[], ledger: Ledger): Migration[] {
  for (const { number, name, checksum } of migrations) {
    const applied = ledger.get(number);
    if (applied && applied.checksum !== checksum)
      throw new MigrationError(
        `${name}: has changed since it was applied; restore it and add a new file instead`,
      );
  }
  const open = migrations.filter((migration) => !ledger.has(migration.number));
  const newest = Math.max(...ledger.keys());
  const late = open.find((migration) => migration.number < newest);
  if (late)
    throw new MigrationError(
      `${late.name}: comes before the applied number ${newest}; renumber it`,
    );
  return open;
}

/** False when another process applied it while this one waited for the lock. */
async function apply(sql: postgres.Sql, migration: Migration): Promise<boolean> {
  return sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${advisoryLock})`;
    const ledger = await readLedger(transaction);
    if (pending([migration], ledger).length === 0) return false;
    await transaction`select set_config('lock_timeout', ${limits.lockTimeout}, true)`;
    await transaction.unsafe(migration.statements).catch((cause: unknown) => {
      throw new MigrationError(`${migration.name}: ${String(cause)}`, { cause });
    });
    await transaction`
      insert into schema_migrations (number, name, checksum)
      values (${migration.number}, ${migration.name}, ${migration.checksum})`;
    return true;
  });
}
