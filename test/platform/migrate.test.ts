import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres.ts';
import type { EmbeddedPostgres } from '../../platform/embedded-postgres.ts';
import { createLogger } from '../../platform/log.ts';
import { MigrationError, migrate } from '../../platform/migrate.ts';

let server: EmbeddedPostgres;
let folder = '';
let files = '';
let url = '';
let databases = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  const log = createLogger({ level: 'silent', process: 'test' });
  server = await startEmbeddedPostgres({ dataDir: folder, log });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

let sql: postgres.Sql;
beforeEach(async () => {
  const name = `migrated_${(databases += 1)}`;
  const admin = postgres(server.url, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  await admin.end();
  url = server.url.replace(/\/postgres$/, `/${name}`);
  files = await mkdtemp(join(folder, 'files-'));
  sql = postgres(url, { max: 2, onnotice: () => undefined });
});
afterEach(() => sql.end());

const write = (name: string, statements: string) => writeFile(join(files, name), statements);

test('applies the files in order of their number, each once', async () => {
  await write('0002-second.sql', 'insert into things values (1); insert into things values (2);');
  await write('0001-first.sql', 'create table things (id integer primary key);');
  expect(await migrate(url, files)).toEqual(['0001-first.sql', '0002-second.sql']);
  expect(await migrate(url, files)).toEqual([]);
  await write('0003-third.sql', 'insert into things values (3);');
  expect(await migrate(url, files)).toEqual(['0003-third.sql']);
  expect(await sql`select count(*)::integer as count from things`).toEqual([{ count: 3 }]);
});

test('refuses when an applied file has changed, and names it', async () => {
  await write('0001-first.sql', 'create table things (id integer);');
  await migrate(url, files);
  await write('0001-first.sql', 'create table things (id bigint);');
  await expect(migrate(url, files)).rejects.toThrow('0001-first.sql: has changed');
});

test('a file that fails leaves nothing of itself, and the files before it stay', async () => {
  await write('0001-first.sql', 'create table things (id integer);');
  await write('0002-second.sql', 'create table others (id integer); select 1 / 0;');
  await expect(migrate(url, files)).rejects.toThrow(/0002-second\.sql: .*division by zero/);
  expect(await sql`select to_regclass('others') as name, to_regclass('things') as kept`).toEqual([
    { name: null, kept: 'things' },
  ]);
});

test('several processes that start at once apply each file once', async () => {
  await write('0001-first.sql', 'create table things (id integer); select pg_sleep(0.2);');
  await write('0002-second.sql', 'insert into things values (1);');
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url, files)));
  expect(applied.flat().toSorted()).toEqual(['0001-first.sql', '0002-second.sql']);
});

test('gives up on a lock after two seconds instead of holding up everybody', async () => {
  await write('0001-first.sql', 'create table things (id integer);');
  await migrate(url, files);
  await write('0002-second.sql', 'alter table things add column name text;');
  const holder = await sql.reserve();
  await holder.unsafe('begin; lock table things in access share mode;');
  await expect(migrate(url, files)).rejects.toThrow('lock timeout');
  await holder.unsafe('rollback');
  holder.release();
  expect(await migrate(url, files)).toEqual(['0002-second.sql']);
});

test('an older release starts on a database that a newer one has migrated', async () => {
  await write('0001-first.sql', 'create table things (id integer);');
  await write('0002-second.sql', 'create table others (id integer);');
  await migrate(url, files);
  await rm(join(files, '0002-second.sql'));
  expect(await migrate(url, files)).toEqual([]);
});

test.each([
  [['1-first.sql'], 'must be named NNNN-name.sql'],
  [['0001-first.sql', '0001-other.sql'], 'has the same number as 0001-first.sql'],
])('refuses the file names %j', async (names, message) => {
  for (const name of names) await write(name, 'select 1;');
  const error: unknown = await migrate(url, files).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(MigrationError);
  expect(String(error)).toContain(message);
});

test('refuses a new file whose number comes before an applied one', async () => {
  await write('0002-second.sql', 'select 1;');
  await migrate(url, files);
  await write('0001-first.sql', 'select 1;');
  await expect(migrate(url, files)).rejects.toThrow('0001-first.sql: comes before');
});
