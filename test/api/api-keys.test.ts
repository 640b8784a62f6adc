// API keys: how they are kept, looked up, revoked, and when they were last used.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { authenticateKey, hashApiKey } from '../../domain/workspaces/authenticate-key.ts';
import { turnableClock, type TurnableClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

let system: TestContext;
let clock: TurnableClock;
let workspace: TestWorkspace;

beforeAll(async () => {
  clock = turnableClock(new Date('2026-11-21T12:00:00Z'));
  system = await createTestContext({ clock });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
});

const use = (key = workspace.liveKey, ctx = system.ctx) => authenticateKey(ctx, `Bearer ${key}`);

async function lastUsedAt(): Promise<Date | null | undefined> {
  const [key] = await system.ctx.db<{ lastUsedAt: Date | null }[]>`
    select last_used_at from api_keys where hash = ${hashApiKey(workspace.liveKey)}`;
  return key?.lastUsedAt;
}

it('keeps the hash of a key and never the key', async () => {
  const rows = await system.ctx.db`select * from api_keys where workspace_id = ${workspace.id}`;
  expect(JSON.stringify(rows)).not.toContain(workspace.liveKey);
});

it('tells keys apart that share the prefix of the look-up', async () => {
  const hash = hashApiKey(workspace.liveKey);
  const twin = Buffer.concat([hash.subarray(0, 8), Buffer.alloc(24)]);
  await system.ctx.db`
    insert into api_keys (workspace_id, id, mode, name, hash, last4, created_at)
    values (${workspace.id}, 'key_twin', 'test', 'Twin', ${twin}, 'xxxx', now())`;
  expect(await use()).toMatchObject({ mode: 'live' });
  await system.ctx.db`delete from api_keys where id = 'key_twin'`;
});

it('looks a key up by its prefix, through an index', async () => {
  const plan = await system.ctx.db.begin(async (transaction) => {
    await transaction`set local enable_seqscan = off`;
    return transaction`
      explain select 1 from api_keys
      where lookup_prefix = ${Buffer.alloc(8)} and revoked_at is null`;
  });
  expect(JSON.stringify(plan)).toContain('api_keys_by_prefix');
});

it('notes the use of a key once a minute, not with every request', async () => {
  for (let request = 0; request < 20; request++) await use();
  await clock.turn(1_000);
  await expect.poll(lastUsedAt).toEqual(new Date('2026-11-21T12:00:00.250Z'));
  await clock.turn(30_000);
  await use();
  await clock.turn(1_000);
  expect(await lastUsedAt()).toEqual(new Date('2026-11-21T12:00:00.250Z'));
  await clock.turn(30_000);
  await use();
  await clock.turn(1_000);
  await expect.poll(async () => (await lastUsedAt())?.toISOString()).toMatch('12:01:02');
});

it('is written once a minute by all processes together', async () => {
  await use();
  await clock.turn(1_000);
  await expect.poll(lastUsedAt).toBeTruthy();
  const first = await lastUsedAt();
  await use(workspace.liveKey, { ...system.ctx });
  await clock.turn(1_000);
  // Another statement of the same pool waits behind nothing, so one that was sent is done by then.
  await system.ctx.db`select pg_sleep(0.2)`;
  expect(await lastUsedAt()).toEqual(first);
});
