// GET /v1/orders/{order_id}: the order as it stands, also the catch-up read for missed events.
import type { Context } from '../context.ts';
import type { KeyIdentity } from '../workspaces/authenticate-key.ts';
import { orderBody, type OrderBody } from './order-body.ts';
import { findOrderFile } from './order-queries.ts';

/** Null when the workspace has no such order. Any key of the workspace reads any of its orders. */
export async function readOrder(
  ctx: Context,
  key: KeyIdentity,
  orderId: string,
): Promise<OrderBody | null> {
  const file = await findOrderFile(ctx.db, key.workspaceId, orderId);
  return file && orderBody(file, ctx.settings.publicUrl);
}
