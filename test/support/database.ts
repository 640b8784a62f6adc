// A database of its own for each test file, copied from the template.
import { inject } from 'vitest';
import { openDatabase, type Db } from '../../platform/db.ts';
import { newToken } from '../../platform/ids.ts';
import { templateDatabase } from './global-postgres.ts';

export interface TestDatabase {
  readonly url: string;
  readonly db: Db;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${newToken(9)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_')}`;
  const admin = openDatabase({ url: inject('postgresUrl'), poolSize: 1, application: 'test' });
  await admin.unsafe(`create database ${name} template ${templateDatabase}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = name;
  const db = openDatabase({ url: url.href, poolSize: 10, application: 'test' });
  return {
    url: url.href,
    db,
    async drop() {
      await db.end({ timeout: 5 });
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}
