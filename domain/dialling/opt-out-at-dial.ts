// The do-not-contact list around the one act that cannot be taken back: read before it, and once more after.
import type { CallRef } from '../calls/call-desk.ts';
import type { Context } from '../context.ts';
import { actOnOptOut } from '../do-not-contact/act-on-opt-out.ts';
import { finishAttempt } from '../attempts/finish-attempt.ts';
import { hasOptedOut } from '../orders/has-opted-out.ts';
import type { Order } from '../orders/order.ts';

type Called = Pick<Order, 'workspaceId' | 'id' | 'phone' | 'simulated'>;

/**
 * To be asked right before the carrier is: since the intent was committed the person may have opted out, and a list
 * that cannot be read stops the call too. True when the attempt was ended.
 */
export async function stopForOptOut(ctx: Context, order: Called, call: CallRef): Promise<boolean> {
  const kind = await findBarrier(ctx, order);
  if (!kind) return false;
  const ending = { answeredBy: null, talk: null, report: null };
  await finishAttempt(ctx, call, () => ({ outcome: { kind }, ...ending }));
  return true;
}

/** An opt-out that came while the carrier was asked found no call to end yet. */
export async function endForOptOut(ctx: Context, order: Called): Promise<void> {
  if ((await findBarrier(ctx, order)) === 'do_not_contact')
    await actOnOptOut(ctx, order.workspaceId, [order.phone]);
}

async function findBarrier(
  ctx: Context,
  order: Called,
): Promise<'do_not_contact' | 'not_placed' | null> {
  try {
    return (await hasOptedOut(ctx, order)) ? 'do_not_contact' : null;
  } catch (err) {
    ctx.log.warn({ err, orderId: order.id }, 'do-not-contact could not be read');
    return 'not_placed';
  }
}
