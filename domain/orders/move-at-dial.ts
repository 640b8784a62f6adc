// The moves that dial time knows beside ringing: wait, fail, or become due again.
import type { Reason } from '../../openapi/reasons.ts';
import type { Context } from '../context.ts';
import { deliveriesOf } from './finish-attempt.ts';
import { unchanged, type OrderMove } from './order-move.ts';
import { moveOrder, type OrderFile } from './order-queries.ts';

export function failAtDial(ctx: Context, file: OrderFile, reason: Reason): Promise<void> {
  const change = { status: 'FAILED' as const, reason, nextDialAt: null };
  return moveAtDial(ctx, file, change, 'order.completed');
}

/** Without a `nextDialAt` the order is over; an order that moved meanwhile is left alone. */
export async function moveAtDial(
  ctx: Context,
  file: OrderFile,
  change: Partial<OrderMove['order']>,
  event: 'order.completed' | 'order.updated' | null = null,
): Promise<void> {
  const now = ctx.clock.now();
  const order = { ...unchanged(file.order), ...change };
  const move: OrderMove = {
    workspaceId: file.order.workspaceId,
    orderId: file.order.id,
    version: file.order.version,
    now,
    order: { ...order, completedAt: order.nextDialAt ? null : now },
    attempt: null,
    texts: [],
    deliveries: deliveriesOf(ctx, file, { ...file.order, ...order }, event, now),
  };
  if (!(await moveOrder(ctx.db, move))) return;
  ctx.log.info(
    { orderId: move.orderId, status: order.status, reason: order.reason },
    'order moved at dial time',
  );
  ctx.wakeJobs(now);
  if (order.nextDialAt) ctx.wakeJobs(order.nextDialAt);
}
