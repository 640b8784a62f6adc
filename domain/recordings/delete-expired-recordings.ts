// Once a day: audio past the retention of its workspace goes. The row stays and says so.
import { rm } from 'node:fs/promises';
import type { Context } from '../context.ts';
import * as queries from './recording-queries.ts';
import { recordingKey } from './store-recording.ts';

const limits = { batch: 500 } as const;

/**
 * First the row is marked, then the audio is removed, then that is noted: whoever dies in between
 * leaves audio that nobody can reach, and the next run sweeps it.
 */
export async function deleteExpiredRecordings(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  let expired = 0;
  for (let marked: number = limits.batch; marked === limits.batch; expired += marked)
    marked = await queries.markExpiredRecordings(ctx.db, { now, max: limits.batch });
  const swept = await sweepAudio(ctx);
  if (expired + swept.removed + swept.failed > 0)
    ctx.log.info({ expired, ...swept }, 'recordings past their retention were deleted');
}

async function sweepAudio(ctx: Context): Promise<{ removed: number; failed: number }> {
  const count = { removed: 0, failed: 0 };
  let after: queries.RecordingRef | null = null;
  for (;;) {
    const batch: queries.LeftAudio[] = await queries.listLeftAudio(ctx.db, {
      after,
      max: limits.batch,
    });
    for (const left of batch) count[await removeAudio(ctx, left)] += 1;
    after = batch.at(-1) ?? null;
    if (batch.length < limits.batch) return count;
  }
}

/** One that cannot be removed today must not keep the others; tomorrow it is tried again. */
async function removeAudio(ctx: Context, left: queries.LeftAudio): Promise<'removed' | 'failed'> {
  const { workspaceId, orderId, attemptId, rawPath } = left;
  try {
    await ctx.recordings.remove(recordingKey(workspaceId, orderId, attemptId));
    if (rawPath) await rm(rawPath, { force: true });
    await queries.markAudioRemoved(ctx.db, left);
    return 'removed';
  } catch (err) {
    ctx.log.warn({ attemptId, err }, 'a deleted recording could not be removed from its store');
    return 'failed';
  }
}
