import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogger } from '../../platform/log.ts';
import { ChildStartError, superviseProcess } from '../../platform/supervise.ts';

let folder = '';
let file = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'supervise-'));
  file = join(folder, 'events');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function supervise(restart: boolean, behaviour = 'serves') {
  return superviseProcess({
    name: 'child',
    command: process.execPath,
    args: [new URL('children/serve.ts', import.meta.url).pathname, file, behaviour],
    env: process.env,
    log: createLogger({ level: 'silent', process: 'test' }),
    restart,
  });
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('resolves when the child is ready, and ends it with SIGTERM', async () => {
  const child = await supervise(true);
  const pid = child.pid() ?? 0;
  expect(isAlive(pid)).toBe(true);
  await child.stop();
  expect(isAlive(pid)).toBe(false);
  expect(child.pid()).toBeUndefined();
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(await readFile(file, 'utf8')).toBe(`started ${pid}\nterminated ${pid}\n`);
});

test('a child that ends unasked is started again', async () => {
  const child = await supervise(true);
  const firstPid = child.pid() ?? 0;
  process.kill(firstPid, 'SIGKILL');
  await vi.waitFor(async () => {
    expect((await readFile(file, 'utf8')).match(/started/g)).toHaveLength(2);
  }, 5_000);
  expect(child.pid()).not.toBe(firstPid);
  await child.stop();
});

test('stopping between two lives of a child starts no third', async () => {
  const child = await supervise(true);
  process.kill(child.pid() ?? 0, 'SIGKILL');
  await vi.waitFor(() => expect(child.pid()).toBeUndefined(), 5_000);
  await child.stop();
  expect((await readFile(file, 'utf8')).match(/started/g)).toHaveLength(1);
});

test('without restart the end of the child is told', async () => {
  const child = await supervise(false);
  process.kill(child.pid() ?? 0, 'SIGKILL');
  expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
  await child.stop();
});

test('a first start that fails is an error that names the exit code', async () => {
  await expect(supervise(true, 'fails')).rejects.toThrow(ChildStartError);
  await expect(supervise(true, 'fails')).rejects.toThrow('child ended with code 3');
});

test('a command that does not exist is an error, not a crash', async () => {
  const starting = superviseProcess({
    name: 'nothing',
    command: join(folder, 'nothing'),
    args: [],
    env: {},
    log: createLogger({ level: 'silent', process: 'test' }),
    restart: true,
  });
  await expect(starting).rejects.toThrow(ChildStartError);
});

test('the child ends when its parent is killed with SIGKILL', async () => {
  const parent = fork(new URL('children/supervise-child.ts', import.meta.url), [file]);
  await once(parent, 'message');
  parent.kill('SIGKILL');
  await vi.waitFor(async () => expect(await readFile(file, 'utf8')).toContain('orphaned'), 5_000);
});
