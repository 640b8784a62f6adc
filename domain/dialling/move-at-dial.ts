// The moves that dial time knows beside ringing: wait, fail, or become due again.
import type { Reason } from '../../openapi/reasons.ts';
import type { Context } from '../context.ts';
import type { DialFile } from './dial-file-queries.ts';
import type { Order } from '../orders/order.ts';
import { deliveriesOf } from '../orders/order-deliveries.ts';
import { nextStatus, type OrderEventName, type OrderHappening } from '../orders/order-machine.ts';
import { unchanged, type OrderMove } from '../orders/order-move.ts';
import { findOrderFile, moveOrder } from '../orders/order-queries.ts';

export function failAtDial(ctx: Context, file: DialFile, reason: Reason): Promise<void> {
  return moveAtDial(ctx, file, 'dial_forbidden', { reason, nextDialAt: null });
}

/** An order that moved meanwhile is left alone. */
export async function moveAtDial(
  ctx: Context,
  file: DialFile,
  on: OrderHappening,
  change: Partial<Omit<OrderMove['order'], 'status'>>,
): Promise<void> {
  const now = ctx.clock.now();
  const { status, event } = nextStatus(file.order.status, on);
  // Whoever waits for something else no longer waits for a call to end.
  const reason = file.order.reason === 'live_call_limit' ? null : file.order.reason;
  const order = { ...unchanged(file.order), reason, ...change, status };
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
  event: OrderEventName,
  now: Date,
): Promise<OrderMove['deliveries']> {
  const file = event && (await findOrderFile(ctx.db, after.workspaceId, after.id));
  return file ? deliveriesOf(ctx, file, after, event, now) : [];
}
