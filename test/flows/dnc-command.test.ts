// `svc dnc` as an operator runs it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertOwner } from '../../domain/workspaces/seed-queries.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const run = promisify(execFile);
const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let system: TestContext;
let workspace: TestWorkspace;
let dataDir = '';

beforeAll(async () => {
  system = await createTestContext({ clock });
  workspace = await createWorkspace(system.ctx);
  dataDir = await mkdtemp(join(tmpdir(), 'service-cli-'));
});
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
  await system.close();
});

async function dnc(...args: string[]) {
  const env = { PATH: process.env['PATH'], DATABASE_URL: system.databaseUrl, DATA_DIR: dataDir };
  const command = ['cli/svc.ts', 'dnc', ...args, '--workspace', workspace.id];
  try {
    return { code: 0, ...(await run(process.execPath, command, { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

it('imports a file, tells why, removes for a member who may, and exports', async () => {
  const email = `${workspace.id}@example.com`;
  await insertOwner(system.ctx.db, {
    workspaceId: workspace.id,
    userId: `usr_${workspace.id}`,
    email,
    passwordHash: 'none',
    now: clock.now(),
  });
  const file = join(dataDir, 'numbers.csv');
  await writeFile(file, '2125550101\nnobody\n');
  expect(await dnc('import', file)).toMatchObject({ code: 1, stdout: '' });
  expect(await dnc('import', file, '--by', email)).toMatchObject({
    code: 1,
    stdout: '1 added, 0 listed before.\n',
    stderr: 'No phone number on line 2.\n',
  });
  expect((await dnc('why', '2125550101')).stdout).toContain('may not be contacted: added');
  expect((await dnc('export')).stdout).toContain('+12125550101,added,');
  const removed = await dnc('remove', '2125550101', '--by', email, '--reason', 'mistake');
  expect(removed).toMatchObject({ code: 0 });
  expect((await dnc('list')).stdout).toBe('');
  expect(await dnc('remove', '2125550101')).toMatchObject({ code: 1 });
  expect(await dnc('nonsense')).toMatchObject({ code: 2 });
}, 60_000);
