// What must hold before a dial is begun and needs no lock: open calling hours and a price.
import { priceCall } from '../billing/price-call.ts';
import { pricesFor, type Prices } from '../billing/pricing.ts';
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { findDialRefusal } from './attempt-queries.ts';
import { dialWindow } from './dial-window.ts';
import { failAtDial, moveAtDial } from './move-at-dial.ts';
import type { OrderFile } from './order-queries.ts';

/** The prices to dial at; null when the order has failed or waits. */
export async function passDialGates(
  ctx: Context,
  file: OrderFile,
  now: Date,
): Promise<Prices | null> {
  const window = dialWindow(ctx.settings, file.order, file.agent.callingHours ?? null, now);
  if (window && !window.why) return pricesAtDial(ctx, file, now);
  await stayOutside(ctx, file, window);
  return null;
}

/** Outside the calling hours: what fails the order fails it now, else it waits for the next legal minute. */
async function stayOutside(ctx: Context, file: OrderFile, window: ReturnType<typeof dialWindow>) {
  const refusal = await findDialRefusal(ctx.db, file.order);
  const reason = refusal ?? (window ? null : 'unsupported_destination');
  if (reason) await failAtDial(ctx, file, reason);
  else await moveAtDial(ctx, file, 'waits', { nextDialAt: window?.at ?? null });
}

async function pricesAtDial(ctx: Context, file: OrderFile, now: Date): Promise<Prices | null> {
  if (file.order.simulated) return pricesFor(0);
  const price = await priceCall(ctx, file.order.phone, now);
  if (price.kind === 'priced') return price.prices;
  if (price.code === 'high_cost_destination') await failAtDial(ctx, file, price.code);
  else {
    const nextDialAt = new Date(now.getTime() + callLimits.deckWaitSeconds * 1000);
    await moveAtDial(ctx, file, 'waits', { reason: price.code, nextDialAt });
  }
  return null;
}
