// Whether the number of an order is on the do-not-contact list; what is simulated rings nobody.
import type { Context } from '../context.ts';
import { isListed } from '../do-not-contact/do-not-contact-queries.ts';
import type { Order } from './order.ts';

/** Throws when the list cannot be read. */
export async function hasOptedOut(
  ctx: Context,
  order: Pick<Order, 'workspaceId' | 'phone' | 'simulated'>,
): Promise<boolean> {
  return !order.simulated && isListed(ctx.db, order.workspaceId, order.phone);
}
