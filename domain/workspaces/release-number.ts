// Gives a bought number back. No call is made from it once the intent is kept.
import type { Context } from '../context.ts';
import { readTypedPhone } from '../leads/phone-number.ts';
import { beginRelease } from './caller-number-queries.ts';
import { settleAt, settleNumber } from './settle-numbers.ts';

export type ReleaseNumberAnswer =
  | 'released'
  /** The carrier could not be asked; it is asked again each minute. */
  | 'releasing'
  /** The workspace did not buy it, or has released it. */
  | 'not_bought';

/** Safe to repeat: releasing what is released already changes nothing at the carrier. */
export async function releaseNumber(
  ctx: Context,
  workspaceId: string,
  typed: string,
): Promise<ReleaseNumberAnswer> {
  const phone = readTypedPhone(typed) ?? '';
  const at = settleAt(ctx);
  const number = await beginRelease(ctx.db, { workspaceId, phone, settleAt: at });
  if (!number) return 'not_bought';
  ctx.wakeJobs(at);
  const state = await settleNumber(ctx, number);
  return state === 'released' ? 'released' : 'releasing';
}
