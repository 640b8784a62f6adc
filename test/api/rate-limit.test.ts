// Limits counted in the database: exact, whoever asks, from however many processes.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newToken } from '../../platform/ids.ts';
import { openDatabase } from '../../platform/db.ts';
import { takeFromWindow } from '../../platform/rate-limit.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const opened = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number) => new Date(opened.getTime() + seconds * 1000);

let database: TestDatabase;
let bucket: string;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  bucket = `test:${newToken(9)}`;
});

const take = (now: Date, limit = 3, db = database.db) =>
  takeFromWindow(db, { bucket, limit, windowSeconds: 60, now });

it('lets the limit through and tells how long to wait after it', async () => {
  for (let taken = 0; taken < 3; taken++)
    expect(await take(later(taken))).toEqual({ allowed: true, retryAfterSeconds: 0 });
  expect(await take(later(20.5))).toEqual({ allowed: false, retryAfterSeconds: 40 });
  expect(await take(later(59.999))).toEqual({ allowed: false, retryAfterSeconds: 1 });
});

it('begins anew when the window ended, with whoever comes first', async () => {
  for (let taken = 0; taken < 5; taken++) await take(opened);
  for (let taken = 0; taken < 3; taken++)
    expect(await take(later(60))).toMatchObject({ allowed: true });
  expect(await take(later(61))).toEqual({ allowed: false, retryAfterSeconds: 59 });
});

it('counts each bucket for itself when several are asked at once', async () => {
  const other = `${bucket}:other`;
  const asked = [bucket, other, bucket, bucket, other].map((name) =>
    takeFromWindow(database.db, { bucket: name, limit: 2, windowSeconds: 60, now: opened }),
  );
  const taken = await Promise.all(asked);
  expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, true, false, true]);
});

it('tells whoever asks when the database cannot be asked', async () => {
  const closed = openDatabase({ url: database.url, poolSize: 1, application: 'test' });
  await closed.end();
  await expect(take(opened, 3, closed)).rejects.toThrow();
});

it('holds when the clocks of two processes differ a little', async () => {
  for (let taken = 0; taken < 3; taken++) await take(opened);
  expect(await take(later(-2))).toEqual({ allowed: false, retryAfterSeconds: 62 });
});

it('is not shut for long by a clock that went far ahead', async () => {
  for (let taken = 0; taken < 3; taken++) await take(later(86_400));
  expect(await take(opened)).toMatchObject({ allowed: true });
});

it('is exact when 300 are taken at once over three pools', async () => {
  const pools = [1, 2, 3].map(() =>
    openDatabase({ url: database.url, poolSize: 5, application: 'test' }),
  );
  const all = pools.flatMap((db) => Array.from({ length: 100 }, () => take(opened, 120, db)));
  const allowed = (await Promise.all(all)).filter((taken) => taken.allowed);
  expect(allowed).toHaveLength(120);
  await Promise.all(pools.map((pool) => pool.end()));
});
