// GET /v1/orders: one page of the workspace's orders, newest first.
import type { OrderList, OrderListQuery, OrderSummary } from '../../openapi/order-list.ts';
import { ORDER_STATUSES } from '../../openapi/outcome.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { parseTimestamp } from '../leads/consent.ts';
import type { KeyIdentity } from '../workspaces/key-identity.ts';
import { dialWaitOf } from '../dialling/dial-window.ts';
import { createListCursor, readListCursor } from './list-cursor.ts';
import type { ListCursor, OrderFilter } from './list-cursor.ts';
import { orderSummary } from './order-body.ts';
import { findOrderPage, type ListedOrder } from './order-list-queries.ts';

/** Throws AppError when the cursor is not ours, or was made for other filters. */
export async function listOrders(
  ctx: Context,
  { workspaceId }: KeyIdentity,
  query: OrderListQuery,
): Promise<OrderList> {
  const asked = readFilter(query);
  const cursor = query.cursor === undefined ? null : readCursor(ctx, workspaceId, query.cursor);
  const differing = cursor && differingFilter(query, asked, cursor.filter);
  if (differing) throw refuseCursor(`was made for another ${differing}`);
  const filter = cursor?.filter ?? asked;
  // One more than the page shows tells whether another page follows.
  const found = await findOrderPage(ctx.db, {
    workspaceId,
    filter,
    after: cursor?.position ?? null,
    limit: query.limit + 1,
  });
  const now = ctx.clock.now();
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const hasMore = found.length > query.limit;
  return {
    success: true,
    orders: page.map((order) => listedBody(ctx, order, now)),
    has_more: hasMore,
    next_cursor: hasMore && last ? nextCursor(ctx, workspaceId, last, filter) : null,
  };
}

function listedBody({ settings }: Context, order: ListedOrder, now: Date): OrderSummary {
  const wait = dialWaitOf(settings, order, order.agentHours, now);
  const { recorded } = order;
  return orderSummary(order, { recorded, wait, publicUrl: settings.publicUrl });
}

function readFilter({ status, since, agent_id: agentId }: OrderListQuery): OrderFilter {
  const wanted = status?.split(',');
  return {
    // In the order of the contract, so that equal filters are equal values.
    statuses: wanted ? ORDER_STATUSES.filter((known) => wanted.includes(known)) : null,
    since: since === undefined ? null : readSince(since),
    agentId: agentId ?? null,
  };
}

function readSince(text: string): Date {
  const since = parseTimestamp(text);
  if (!since) throw new AppError('invalid_request', 'since: must be a real date with a zone');
  return since;
}

function readCursor(ctx: Context, workspaceId: string, text: string): ListCursor {
  const cursor = readListCursor(ctx.appSecret, workspaceId, text);
  if (!cursor) throw refuseCursor('must be the next_cursor of an answer');
  return cursor;
}

/** A filter that is left out beside a cursor is the cursor's. */
function differingFilter(
  query: OrderListQuery,
  asked: OrderFilter,
  kept: OrderFilter,
): string | null {
  if (query.status !== undefined && String(asked.statuses) !== String(kept.statuses))
    return 'status';
  if (query.since !== undefined && asked.since?.getTime() !== kept.since?.getTime()) return 'since';
  if (query.agent_id !== undefined && asked.agentId !== kept.agentId) return 'agent_id';
  return null;
}

function refuseCursor(problem: string): AppError {
  return new AppError('invalid_request', `cursor: ${problem}`);
}

function nextCursor(
  { appSecret }: Context,
  workspaceId: string,
  last: ListedOrder,
  filter: OrderFilter,
): string {
  const position = { createdAt: last.createdAtText, id: last.id };
  return createListCursor(appSecret, workspaceId, { position, filter });
}
