import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireInstanceLock } from '../../platform/single-instance.ts';
import type { InstanceLock } from '../../platform/single-instance.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'instance-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function holdInChild() {
  const child = fork(new URL('children/hold-lock.ts', import.meta.url), [directory]);
  const [answer] = (await once(child, 'message')) as unknown[];
  expect(answer).toBe('acquired');
  return child;
}

async function release(lock: InstanceLock) {
  if (lock.kind === 'acquired') await lock.release();
}

test('a second process is told which one holds the directory', async () => {
  const child = await holdInChild();
  expect(await acquireInstanceLock(directory)).toEqual({
    kind: 'held',
    heldBy: `process ${child.pid}`,
  });
  child.kill('SIGKILL');
  await once(child, 'exit');
});

test('a holder killed with SIGKILL leaves nothing behind', async () => {
  const child = await holdInChild();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = await acquireInstanceLock(directory);
  expect(lock.kind).toBe('acquired');
  await release(lock);
});

test('a released lock can be taken again', async () => {
  await release(await acquireInstanceLock(directory));
  const lock = await acquireInstanceLock(directory);
  expect(lock.kind).toBe('acquired');
  await release(lock);
});

test('another path to the same directory is the same lock', async () => {
  const link = `${directory}-link`;
  await symlink(directory, link);
  const lock = await acquireInstanceLock(directory);
  expect((await acquireInstanceLock(link)).kind).toBe('held');
  await release(lock);
  await rm(link);
});

test('only one of many that start at once gets the lock', async () => {
  const locks = await Promise.all(Array.from({ length: 8 }, () => acquireInstanceLock(directory)));
  expect(locks.filter((lock) => lock.kind === 'acquired')).toHaveLength(1);
  await Promise.all(locks.map(release));
});

test('a directory that is not there yet is made', async () => {
  const lock = await acquireInstanceLock(join(directory, 'new'));
  expect(lock.kind).toBe('acquired');
  await release(lock);
});
