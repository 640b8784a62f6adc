// What follows an opt-out at once: waiting orders end, and a phone that still rings stops ringing.
import type { Context } from '../context.ts';
import { findRingingCalls } from './do-not-contact-queries.ts';

/** To be called once the numbers are on the list. Only hastens: the list itself already stops every dial and text. */
export async function actOnOptOut(
  ctx: Context,
  workspaceId: string,
  phones: readonly string[],
): Promise<void> {
  ctx.wakeJobs(ctx.clock.now());
  const ringing = await findRingingCalls(ctx.db, workspaceId, phones);
  for (const { attemptId, carrierCallId } of ringing) {
    const ended = await ctx.carrier.endCall(carrierCallId);
    ctx.log.info({ attemptId, ended }, 'ringing call ended for an opt-out');
  }
}
