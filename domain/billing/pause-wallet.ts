// Pauses all calling of a workspace, or lets it go on: orders wait meanwhile and wake with it.
import type { Context } from '../context.ts';
import { setPaused } from './ledger-queries.ts';
import { unknownWorkspace } from './transfer-answer.ts';
import { wakeOrders } from './wake-orders.ts';

/** Running calls end politely when their held minute is over. Throws AppError `not_found`. */
export async function pauseWallet(ctx: Context, workspaceId: string): Promise<void> {
  await set(ctx, workspaceId, true);
}

/** Lifts the pause of an operator, and that of unpaid rent. Throws AppError `not_found`. */
export async function resumeWallet(ctx: Context, workspaceId: string): Promise<void> {
  await set(ctx, workspaceId, false);
  await wakeOrders(ctx, workspaceId, ['waiting_for_balance']);
}

async function set(ctx: Context, workspaceId: string, paused: boolean) {
  const before = await setPaused(ctx.db, { workspaceId, paused, now: ctx.clock.now() });
  if (before === null) throw unknownWorkspace();
  ctx.log.info({ workspaceId, paused, before }, 'calling was paused or resumed');
}
