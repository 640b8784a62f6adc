// The token in the path of a lead -> the URL that it opens, counted against its limit.
import { createHash } from 'node:crypto';
import { limits } from '../../openapi/limits.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { countLeadAtUrl, type TriggerUrl } from './trigger-url-queries.ts';

export type { TriggerUrl };

/** Throws AppError. An unknown token costs the same one look-up as a known one. */
export async function openTriggerUrl(ctx: Context, token: string): Promise<TriggerUrl> {
  const url = await countLeadAtUrl(ctx.db, {
    tokenHash: createHash('sha256').update(token).digest(),
    windowSeconds: 60,
    now: ctx.clock.now(),
  });
  if (!url) throw new AppError('not_found', 'No trigger URL is switched on at this address.');
  const { leadsPerMinute, retryAfterSeconds } = limits.triggerUrl;
  if (url.leadsInWindow <= leadsPerMinute) return url;
  const message = `More than ${leadsPerMinute} leads in a minute to this URL.`;
  throw new AppError('rate_limited', message, { retryAfterSeconds });
}
