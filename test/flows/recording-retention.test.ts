// Recordings go when their workspace's retention ends, and nothing is left behind.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteExpiredRecordings } from '../../domain/recordings/delete-expired-recordings.ts';
import { storeRecording } from '../../domain/recordings/store-recording.ts';
import { findOrderFile } from '../../domain/orders/order-queries.ts';
import { systemClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createOrderRow, recordAttempt } from '../support/recorded-order.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const dayMs = 86_400_000;
let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock() });
});
afterAll(() => system.close());

async function record(ageDays: number, retentionDays?: number | null) {
  const { ctx } = system;
  workspace = await createWorkspace(ctx);
  if (retentionDays !== undefined)
    await ctx.db`update workspaces set recording_retention_days = ${retentionDays}
      where id = ${workspace.id}`;
  const orderId = await createOrderRow(ctx, workspace);
  const createdAt = new Date(ctx.clock.now().getTime() - ageDays * dayMs);
  return recordAttempt(ctx, workspace, { orderId, audio: Buffer.from('audio'), createdAt });
}

async function isKept(recording: { key: string; orderId: string; attemptId: string }) {
  const opened = await system.ctx.recordings.open(recording.key);
  if (opened.kind === 'found') opened.stream.destroy();
  const [row] = await system.ctx.db<{ state: string; audioLeft: boolean }[]>`
    select state, audio_left from recordings where attempt_id = ${recording.attemptId}`;
  return { stored: opened.kind, ...row };
}

it.each([
  [31, undefined],
  [2, 1],
  [366, 365],
])(
  'after %d days with a retention of %s (default 30) the audio is gone',
  async (age, retention) => {
    const recording = await record(age, retention);
    await deleteExpiredRecordings(system.ctx);
    expect(await isKept(recording)).toEqual({
      stored: 'missing',
      state: 'deleted',
      audioLeft: false,
    });
    const file = await findOrderFile(system.ctx.db, workspace.id, recording.orderId);
    expect(file?.recorded).toBe(false);
  },
);

it.each([
  [29, undefined],
  [364, 365],
  [5_000, null],
])('after %d days with a retention of %s it is still there', async (age, retention) => {
  const recording = await record(age, retention);
  await deleteExpiredRecordings(system.ctx);
  expect(await isKept(recording)).toEqual({ stored: 'found', state: 'ready', audioLeft: false });
});

it('a store that fails delays only its own recording; the next run sweeps it', async () => {
  const { ctx } = system;
  const [stuck, other] = [await record(40), await record(40)];
  const remove = async (key: string) => {
    if (key === stuck.key) throw new Error('read-only');
    await ctx.recordings.remove(key);
  };
  await deleteExpiredRecordings({ ...ctx, recordings: { ...ctx.recordings, remove } });
  expect(await isKept(stuck)).toEqual({ stored: 'found', state: 'deleted', audioLeft: true });
  expect(await isKept(other)).toMatchObject({ stored: 'missing', audioLeft: false });
  await deleteExpiredRecordings(ctx);
  expect(await isKept(stuck)).toEqual({ stored: 'missing', state: 'deleted', audioLeft: false });
});

it('what was never mixed is past its retention all the same', async () => {
  const { ctx } = system;
  workspace = await createWorkspace(ctx);
  const orderId = await createOrderRow(ctx, workspace);
  const createdAt = new Date(ctx.clock.now().getTime() - 40 * dayMs);
  const raw = await recordAttempt(ctx, workspace, { orderId, state: 'raw', createdAt });
  await deleteExpiredRecordings(ctx);
  expect(await isKept(raw)).toEqual({ stored: 'missing', state: 'deleted', audioLeft: false });
  await storeRecording(ctx, { workspaceId: workspace.id, attemptId: raw.attemptId });
  expect(await isKept(raw)).toMatchObject({ stored: 'missing' });
});
