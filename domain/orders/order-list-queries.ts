// Named SQL of the order list. Every filter is served by an index that already has the order of the list.
import type { Db } from '../../platform/db.ts';
import { limits } from '../../openapi/limits.ts';
import { ORDER_STATUSES } from '../../openapi/outcome.ts';
import type { AgentHours } from '../calling-hours/next-legal-minute.ts';
import { agentHoursSql } from './order-reading-queries.ts';
import type { ListPosition, OrderFilter } from './list-cursor.ts';
import type { SummarisedOrder } from './order-body.ts';

/** A row of the list: an order without what only its own page tells. */
export interface ListedOrder extends SummarisedOrder {
  readonly recorded: boolean;
  /** The agent's own calling hours while a dial is due. */
  readonly agentHours: AgentHours;
  /** With microseconds, for the cursor. */
  readonly createdAtText: string;
}

export interface OrderPage {
  readonly workspaceId: string;
  readonly filter: OrderFilter;
  /** Where the page before ended; null for the first page. */
  readonly after: ListPosition | null;
  readonly limit: number;
}

export async function findOrderPage(db: Db, page: OrderPage): Promise<ListedOrder[]> {
  return db<ListedOrder[]>`${orderPageSql(db, page)}`;
}

/** Exported for the tests that ask the database how it runs it. */
export function orderPageSql(db: Db, page: OrderPage) {
  const { statuses, agentId, since } = page.filter;
  const columns = db`o.id, o.test, o.direction, o.simulated, o.agent_id, o.agent_version, o.status, o.reason, o.phone,
    o.first_name, o.custom_context, o.max_attempts, o.retry_interval_minutes,
    o.send_sms_on_voicemail, o.webhook_url, o.external_reference_id, o.attempt_number,
    o.estimated_dial_seconds, o.next_dial_at, o.duration_seconds, o.billed_minutes,
    o.charged_micros, o.qualification, o.appointment, o.analysis, o.created_at, o.updated_at,
    o.completed_at, o.created_at::text as created_at_text,
    exists (select from recordings r where r.workspace_id = o.workspace_id and r.order_id = o.id
      and r.state <> 'deleted') as recorded,
    ${agentHoursSql(db)} as agent_hours`;
  if (!statuses && !agentId && !since)
    return db`
      select ${columns} from orders o where o.workspace_id = ${page.workspaceId} ${after(db, page)}
      order by o.created_at desc, o.id desc limit ${page.limit}`;
  // Keys first: they stand in the indexes, and only those of the page lead to rows.
  return db`
    with ${pageKeys(db, page)}
    select ${columns}
    from page join orders o on o.workspace_id = ${page.workspaceId} and o.id = page.id
    order by page.created_at desc, page.id desc`;
}

/**
 * What was made since then also changed since then, so it is found by its own time; only when that does
 * not fill the page, older orders are looked for.
 */
function pageKeys(db: Db, page: OrderPage) {
  const { since } = page.filter;
  const ordered = db`order by created_at desc, id desc limit ${page.limit}`;
  if (!since)
    return db`page as materialized (select * from (${newest(db, page, db``)}) k ${ordered})`;
  const made = db`and created_at >= ${since} and updated_at >= ${since}`;
  return db`made as materialized (${newest(db, page, made)}),
    changed as materialized (${olderButChanged(db, page, since)}),
    page as materialized (
      select * from made union all select * from changed ${ordered})`;
}

/** A number and no parameter: the planner must see how few rows are wanted. */
function keyLimit(db: Db) {
  return db.unsafe(`limit ${limits.orderList.pageMax + 1}`);
}

function newest(db: Db, page: OrderPage, range: ReturnType<typeof after>) {
  const { workspaceId, filter } = page;
  const ordered = db`order by created_at desc, id desc ${keyLimit(db)}`;
  if (!filter.statuses && !filter.agentId)
    return db`
      select created_at, id from orders
      where workspace_id = ${workspaceId} ${range} ${after(db, page)} ${ordered}`;
  const ofAgent = filter.agentId ? db`and agent_id = ${filter.agentId}` : db``;
  return db`
    select k.* from unnest(${filter.statuses ?? ORDER_STATUSES}::text[]) as wanted(status)
    cross join lateral (
      select created_at, id from orders
      where workspace_id = ${workspaceId} and status = wanted.status ${ofAgent}
        ${range} ${after(db, page)} ${ordered}) k
    ${ordered}`;
}

/**
 * Looks into each class of lifetimes, no further back than its orders could have lived. The filters are
 * written so that no other index serves them: one would walk all that was made before.
 */
function olderButChanged(db: Db, page: OrderPage, since: Date) {
  const { workspaceId, filter } = page;
  return db`
    select k.* from generate_series(0, 13) as class
    cross join lateral (
      select created_at, id from orders
      where workspace_id = ${workspaceId} and lifetime_class(created_at, updated_at) = class
        and created_at < ${since} and created_at >= case class when 13 then '-infinity'
          else ${since} - (4 ^ class + 1) * interval '1 second' end
        and updated_at >= ${since} ${after(db, page)}
        ${filter.statuses ? db`and status || '' = any(${filter.statuses}::text[])` : db``}
        ${filter.agentId ? db`and agent_id || '' = ${filter.agentId}` : db``}
      order by created_at desc, id desc ${keyLimit(db)}) k
    where (select count(*) from made) < ${page.limit}`;
}

function after(db: Db, { after: position }: OrderPage) {
  if (!position) return db``;
  return db`and (created_at, id) < (${position.createdAt}::timestamptz, ${position.id})`;
}
