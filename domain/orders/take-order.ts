// Takes an order, from whichever intake, or says why not; a refused order leaves nothing behind.
import { limits } from '../../openapi/limits.ts';
import { AppError } from '../app-error.ts';
import { priceCall } from '../billing/price-call.ts';
import type { Context } from '../context.ts';
import { intakeVerdict, type Asked, type RateRefusal } from './intake-verdict.ts';
import type { OrderKind } from './order.ts';
import type { ExistingOrder, IntakeFacts, NewOrder } from './order-queries.ts';
import { insertOrderIfAllowed, unreadableSource } from './order-queries.ts';
import { simulation } from './simulated-outcome.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A live call is placed at once; this covers the way to the carrier. */
const liveDialSeconds = 2;

export type Taking =
  | { readonly kind: 'taken' }
  /** It was taken before, under the same Idempotency-Key or as the same payload. */
  | { readonly kind: 'replayed'; readonly order: ExistingOrder };

/** Throws AppError with the first refusal in the documented order. */
export async function takeOrder(ctx: Context, order: NewOrder, asked: Asked): Promise<Taking> {
  const rateRefusal = await refusalByRate(ctx, order, asked);
  // The second round meets the winner of a race for the same key or payload.
  for (const round of [1, 2]) {
    const facts = await readFactsAndInsert(ctx, order, {
      maySucceed: asked.destinationRefusal === null && rateRefusal === null,
    });
    if (facts.insertedId) {
      ctx.wakeJobs(order.nextDialAt);
      ctx.log.info(
        { orderId: order.id, workspaceId: order.workspaceId, kind: order.kind },
        'order accepted',
      );
      return { kind: 'taken' };
    }
    const verdict = intakeVerdict(asked, facts, rateRefusal);
    if (verdict.kind === 'replayed') return verdict;
    if (verdict.kind === 'refused') throw new AppError(verdict.code, verdict.message);
    ctx.log.debug({ round }, 'intake raced for the same order');
  }
  throw new Error('An order was neither inserted nor found.');
}

/** A simulated call costs nothing, and what is no US number has no row. */
async function refusalByRate(ctx: Context, order: NewOrder, asked: Asked): Promise<RateRefusal> {
  if (asked.kind === 'simulated' || asked.destinationRefusal) return null;
  const price = await priceCall(ctx, order.phone, order.now);
  return price.kind === 'refused' ? price.code : null;
}

/** When the first dial is due, and how that is told. */
export function firstDial(
  ctx: Context,
  kind: OrderKind,
  now: Date,
): Pick<NewOrder, 'estimatedDialSeconds' | 'nextDialAt'> {
  if (kind !== 'simulated') return { estimatedDialSeconds: liveDialSeconds, nextDialAt: now };
  const seconds = simulation.dialAfterSeconds / ctx.settings.simulationSpeed;
  return {
    estimatedDialSeconds: Math.ceil(seconds),
    nextDialAt: new Date(now.getTime() + seconds * 1000),
  };
}

async function readFactsAndInsert(
  ctx: Context,
  order: NewOrder,
  { maySucceed }: { maySucceed: boolean },
): Promise<IntakeFacts> {
  const daysAgo = (days: number) => new Date(order.now.getTime() - days * dayMs);
  try {
    return await insertOrderIfAllowed(ctx.db, order, {
      maySucceed,
      minimumBalanceMicros: limits.wallet.minimumToOrderMicros,
      testOrdersMax: limits.testOrders.per24Hours,
      testOrdersSince: daysAgo(1),
      confirmedSince: daysAgo(limits.triggerUrl.testNumberConfirmedWithinDays),
    });
  } catch (cause) {
    // Nothing was inserted or the answer was lost; sending the same again finds out which.
    const source = await unreadableSource(ctx.db);
    if (source === 'wallets') throw new AppError('wallet_unavailable', undefined, { cause });
    if (source === 'do_not_contact')
      throw new AppError('suppression_unavailable', undefined, { cause });
    throw cause;
  }
}
