// What becomes of an order after an attempt, the do-not-contact list read.
import type { Context } from '../context.ts';
import type { AttemptOutcome, NextState } from './after-attempt.ts';
import { afterAttempt, afterOptOut, yieldsToOptOut } from './after-attempt.ts';
import { hasOptedOut } from '../orders/has-opted-out.ts';
import { retryIntervalEnd } from '../dialling/next-dial-at.ts';
import type { Order } from '../orders/order.ts';
import { ImpossibleMoveError } from '../orders/order-machine.ts';

/**
 * Null, and logged, when the state machine has no such move. An opt-out that comes between this look and the move
 * makes the move fail, and is met by the next look.
 */
export async function decideNextState(
  ctx: Context,
  order: Order,
  outcome: AttemptOutcome,
): Promise<NextState | null> {
  try {
    const now = ctx.clock.now();
    const retryAt = retryIntervalEnd(ctx.settings, order, now);
    const next = afterAttempt(order, outcome, { now, retryAt });
    const yields = yieldsToOptOut(next) && (await mayNotBeCalled(ctx, order));
    return yields ? afterOptOut(order, next) : next;
  } catch (err) {
    if (!(err instanceof ImpossibleMoveError)) throw err;
    ctx.log.error({ err, orderId: order.id }, 'impossible move rejected');
    return null;
  }
}

async function mayNotBeCalled(ctx: Context, order: Order): Promise<boolean> {
  try {
    return await hasOptedOut(ctx, order);
  } catch (err) {
    // The attempt ends all the same; whoever dials or texts next must read the list.
    ctx.log.warn({ err, orderId: order.id }, 'do-not-contact could not be read');
    return false;
  }
}
