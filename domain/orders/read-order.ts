// GET /v1/orders/{order_id}: the order as it stands, also the catch-up read for missed events.
import type { Context } from '../context.ts';
import type { KeyIdentity } from '../workspaces/authenticate-key.ts';
import { dialWaitOf } from '../dialling/dial-window.ts';
import { orderBody, type OrderBody } from './order-body.ts';
import { findOrderPaper } from './order-reading-queries.ts';

/** Null when the workspace has no such order. Any key of the workspace reads any of its orders. */
export async function readOrder(
  ctx: Context,
  key: KeyIdentity,
  orderId: string,
): Promise<OrderBody | null> {
  const paper = await findOrderPaper(ctx.db, key.workspaceId, orderId);
  if (!paper) return null;
  const { publicUrl } = ctx.settings;
  const wait = dialWaitOf(ctx.settings, paper.order, paper.agentHours, ctx.clock.now());
  return orderBody(paper, { publicUrl, wait });
}
