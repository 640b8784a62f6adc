// What a call to a number costs a minute, or why it is not called. Nothing is dialled unpriced.
import type { Context } from '../context.ts';
import { pricesFor, type Prices } from './pricing.ts';

export type CallPrice =
  | { readonly kind: 'priced'; readonly prices: Prices }
  | { readonly kind: 'refused'; readonly code: 'high_cost_destination' | 'rate_unavailable' };

export async function priceCall(
  ctx: Pick<Context, 'rateDecks' | 'log'>,
  phone: string,
  now: Date,
): Promise<CallPrice> {
  try {
    const row = (await ctx.rateDecks.current()).find(phone, now);
    if (!row) return unpriced(ctx);
    if (row.action === 'block') return { kind: 'refused', code: 'high_cost_destination' };
    return { kind: 'priced', prices: pricesFor(row.surchargeMicrosPerMinute) };
  } catch (err) {
    ctx.log.error({ err }, 'rate deck cannot be read');
    return { kind: 'refused', code: 'rate_unavailable' };
  }
}

/** A deck should end in a row for the whole country; without one a number may have no price. */
function unpriced(ctx: Pick<Context, 'log'>): CallPrice {
  ctx.log.error({}, 'rate deck has no row for a number');
  return { kind: 'refused', code: 'rate_unavailable' };
}
