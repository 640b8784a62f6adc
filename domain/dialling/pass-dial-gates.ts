// What must hold before a dial is begun and needs no lock: open calling hours and a price.
import { priceCall } from '../billing/price-call.ts';
import { pricesFor, type Prices } from '../billing/pricing.ts';
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { failAtDial, moveAtDial } from './move-at-dial.ts';
import type { DialFile } from './dial-file-queries.ts';
import { waitForWindow } from './wait-for-window.ts';

/** The prices to dial at; null when the order has failed or waits. */
export async function passDialGates(
  ctx: Context,
  file: DialFile,
  now: Date,
): Promise<Prices | null> {
  if (await waitForWindow(ctx, file, now)) return null;
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
