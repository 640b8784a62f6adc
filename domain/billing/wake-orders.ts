// Orders that wait for money or for a plan fall due when it is back.
import type { Context } from '../context.ts';
import { billingLimits } from './billing-limits.ts';
import { wakeWaitingOrders, type WaitReason } from './ledger-queries.ts';

/**
 * The statement that brought the money woke the oldest. These are the next ones, in small statements, so that no
 * number of waiting orders locks them all at once; past the last batch an order looks again by itself.
 */
export async function wakeOrders(
  ctx: Context,
  workspaceId: string,
  reasons: readonly WaitReason[],
): Promise<void> {
  const now = ctx.clock.now();
  ctx.wakeJobs(now);
  const { wakeBatch: max, wakeBatchesMax } = billingLimits;
  for (let batch = 1; batch < wakeBatchesMax; batch++) {
    const woken = await wakeWaitingOrders(ctx.db, { workspaceId, reasons, now, max });
    if (woken > 0) ctx.wakeJobs(now);
    if (woken < max) return;
  }
}
