// A move of an order that is not dialled now: it waits, or it ends.
import type { Context } from '../context.ts';
import type { DialFile } from './dial-file-queries.ts';
import { deliveriesOf } from './finish-attempt.ts';
import type { Order } from './order.ts';
import { unchanged, type OrderMove } from './order-move.ts';
import { findOrderFile, moveOrder } from './order-queries.ts';

export async function applyMove(
  ctx: Context,
  file: DialFile,
  change: Partial<OrderMove['order']>,
  event: 'order.completed' | 'order.updated' | null = null,
) {
  const now = ctx.clock.now();
  // Whoever waits for something else no longer waits for a call to end.
  const reason = file.order.reason === 'live_call_limit' ? null : file.order.reason;
  const order = { ...unchanged(file.order), reason, ...change };
  const move: OrderMove = {
    workspaceId: file.order.workspaceId,
    orderId: file.order.id,
    version: file.order.version,
    now,
    order: { ...order, completedAt: order.nextDialAt ? null : now },
    attempt: null,
    texts: [],
    deliveries: await tellOf(ctx, { ...file.order, ...order }, event, now),
  };
  if (!(await moveOrder(ctx.db, move))) return;
  ctx.log.info(
    { orderId: move.orderId, status: order.status, reason: order.reason },
    'order moved at dial time',
  );
  ctx.wakeJobs(now);
  if (order.nextDialAt) ctx.wakeJobs(order.nextDialAt);
}

/** What an event tells is read only when there is one; a move on another version does nothing anyway. */
async function tellOf(
  ctx: Context,
  after: Order,
  event: 'order.completed' | 'order.updated' | null,
  now: Date,
): Promise<OrderMove['deliveries']> {
  const file = event && (await findOrderFile(ctx.db, after.workspaceId, after.id));
  return file ? deliveriesOf(ctx, file, after, event, now) : [];
}
