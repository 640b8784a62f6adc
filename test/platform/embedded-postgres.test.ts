import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../platform/embedded-postgres.ts';
import { createLogger } from '../../platform/log.ts';

const log = createLogger({ level: 'silent', process: 'test' });
let dataDir = '';
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function query<Row extends object>(url: string, text: string) {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await sql.unsafe<Row[]>(text);
  } finally {
    await sql.end();
  }
}

const serverPid = async () =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);

async function runInChild() {
  const child = fork(new URL('children/run-postgres.ts', import.meta.url), [dataDir]);
  const [url] = (await once(child, 'message')) as unknown[];
  return { child, url: String(url) };
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('keeps what was written from one start to the next', async () => {
  const first = await startEmbeddedPostgres({ dataDir, log });
  await query(first.url, 'create table restarted as select 7 as value');
  await first.stop();
  expect(await first.ended).toEqual({ code: 0, signal: null });
  const second = await startEmbeddedPostgres({ dataDir, log });
  expect(await query(second.url, 'select value from restarted')).toEqual([{ value: 7 }]);
  await second.stop();
});

test('is UTF-8, in UTC, durable, and takes 200 connections', async () => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  const [row] = await query(
    server.url,
    `select current_setting('server_encoding') as encoding, current_setting('TimeZone') as zone,
       current_setting('synchronous_commit') as durable, current_setting('fsync') as synced,
       current_setting('max_connections') as connections, lower('ÄÖÜ') as lower`,
  );
  expect(row).toEqual({
    encoding: 'UTF8',
    zone: 'UTC',
    durable: 'on',
    synced: 'on',
    connections: '200',
    lower: 'äöü',
  });
  await server.stop();
});

test('asks for the password, which only its owner can read', async () => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  const wrong = new URL(server.url);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
  expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
  await server.stop();
});

test('recovers what was committed when the server itself is killed with SIGKILL', async () => {
  const server = await startEmbeddedPostgres({ dataDir, log });
  await query(server.url, 'create table crashed as select 7 as value');
  process.kill(await serverPid(), 'SIGKILL');
  expect((await server.ended).signal).toBe('SIGKILL');
  const next = await startEmbeddedPostgres({ dataDir, log });
  expect(await query(next.url, 'select value from crashed')).toEqual([{ value: 7 }]);
  await next.stop();
});

test('the server ends when the process that started it is killed with SIGKILL', async () => {
  const { child } = await runInChild();
  const pid = await serverPid();
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000);
});

test('a start right after a killed run ends its server and keeps its data', async () => {
  const { child, url } = await runInChild();
  const pid = await serverPid();
  await query(url, 'create table orphaned as select 7 as value');
  child.kill('SIGKILL');
  const next = await startEmbeddedPostgres({ dataDir, log });
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000);
  expect(await query(next.url, 'select value from orphaned')).toEqual([{ value: 7 }]);
  await next.stop();
});

test('a left-over note whose number now belongs to another process is not in the way', async () => {
  const first = await startEmbeddedPostgres({ dataDir, log });
  const note = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  await first.stop();
  const lines = note.split('\n');
  await writeFile(
    join(dataDir, 'postgres', 'postmaster.pid'),
    [process.ppid, ...lines.slice(1)].join('\n'),
  );
  const second = await startEmbeddedPostgres({ dataDir, log });
  expect(isAlive(process.ppid)).toBe(true);
  await second.stop();
});

test('a first start that was cut short is made again from the beginning', async () => {
  const folder = join(dataDir, 'fresh');
  await mkdir(join(folder, 'postgres.unfinished'), { recursive: true });
  await writeFile(join(folder, 'postgres.initial-password'), 'rest of an earlier run');
  const server = await startEmbeddedPostgres({ dataDir: folder, log });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
});
