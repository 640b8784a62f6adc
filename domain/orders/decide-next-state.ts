// What becomes of an order after an attempt, the do-not-contact list read.
import type { Context } from '../context.ts';
import { isListed } from '../do-not-contact/do-not-contact-queries.ts';
import type { AttemptOutcome, NextState } from './after-attempt.ts';
import { afterAttempt, afterOptOut, yieldsToOptOut } from './after-attempt.ts';
import type { Order } from './order.ts';
import { simulation } from './simulated-outcome.ts';

/** An opt-out that comes between this look and the move makes the move fail, and is met by the next look. */
export async function decideNextState(
  ctx: Context,
  order: Order,
  outcome: AttemptOutcome,
): Promise<NextState> {
  const now = ctx.clock.now();
  const next = afterAttempt(order, outcome, { now, retryAt: retryAt(ctx, order, now) });
  if (order.simulated || !yieldsToOptOut(next)) return next;
  try {
    return (await isListed(ctx.db, order.workspaceId, order.phone)) ? afterOptOut(next) : next;
  } catch (err) {
    // The attempt ends all the same; whoever dials or texts next must read the list.
    ctx.log.warn({ err, orderId: order.id }, 'do-not-contact could not be read');
    return next;
  }
}

function retryAt(ctx: Context, order: Order, now: Date): Date {
  const seconds = order.simulated
    ? simulation.retryAfterSeconds / ctx.settings.simulationSpeed
    : order.retryIntervalMinutes * 60;
  return new Date(now.getTime() + seconds * 1000);
}
