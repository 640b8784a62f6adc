// Counts one read request of a workspace against its limit.
import { limits } from '../../openapi/limits.ts';
import { takeFromWindow } from '../../platform/rate-limit.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import type { KeyIdentity } from './key-identity.ts';

/** Throws AppError when the workspace has read too much in this minute. */
export async function takeRead(ctx: Context, { workspaceId }: KeyIdentity): Promise<void> {
  const { allowed, retryAfterSeconds } = await takeFromWindow(ctx.db, {
    bucket: `reads:${workspaceId}`,
    limit: limits.reads.perMinute,
    windowSeconds: 60,
    now: ctx.clock.now(),
  });
  if (allowed) return;
  const message = `More than ${limits.reads.perMinute} reads in a minute.`;
  throw new AppError('rate_limited', message, { retryAfterSeconds });
}
