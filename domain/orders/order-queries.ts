// Named SQL of orders.
import type { Db } from '../../platform/db.ts';
import type { AgentConfig } from '../agents/agent-config.ts';
import type { OrderStatus } from '../../openapi/outcome.ts';
import type { Attempt, Order, OrderKind } from './order.ts';
import type { OrderMove } from './order-move.ts';
import type { HeardTurn } from '../calls/call-desk.ts';

export interface IntakeFacts {
  readonly existing: ExistingOrder | null;
  readonly agentFound: boolean;
  readonly agentActive: boolean | null;
  readonly publishedVersion: number | null;
  readonly planStatus: 'active' | 'past_due' | 'inactive';
  readonly balanceMicros: number;
  readonly paused: boolean;
  readonly suppressed: boolean;
  readonly testOrders: number;
  /** Whether the number of a test call was confirmed lately; true where it need not be. */
  readonly numberConfirmed: boolean;
  readonly insertedId: string | null;
}

export interface ExistingOrder {
  readonly id: string;
  readonly status: OrderStatus;
  readonly test: boolean;
  readonly agentId: string;
  readonly phone: string;
  readonly externalReferenceId: string | null;
  readonly estimatedDialSeconds: number;
}

export interface NewOrder {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: OrderKind;
  readonly agentId: string;
  readonly phone: string;
  readonly firstName: string | null;
  readonly customContext: string | null;
  readonly maxAttempts: number | null;
  readonly retryIntervalMinutes: number | null;
  readonly sendSmsOnVoicemail: boolean | null;
  readonly consent: object;
  readonly webhookUrl: string | null;
  readonly externalReferenceId: string | null;
  readonly idempotencyKey: string | null;
  /** Present on an order from a trigger URL: the same payload is remembered as this order. */
  readonly payload: LeadPayload | null;
  readonly estimatedDialSeconds: number;
  readonly nextDialAt: Date;
  readonly now: Date;
}

export interface LeadPayload {
  readonly triggerUrlId: string;
  readonly hash: Buffer;
  /** What was accepted up to this moment is forgotten. */
  readonly rememberedAfter: Date;
}

export interface IntakeRules {
  readonly maySucceed: boolean;
  readonly minimumBalanceMicros: number;
  readonly testOrdersMax: number;
  readonly testOrdersSince: Date;
  readonly confirmedSince: Date;
}

/**
 * Reads every fact that can refuse an order and inserts the order when none does, in one statement: nothing can
 * change between the check and the insert. Losing a race for the Idempotency-Key or the payload inserts nothing.
 */
export async function insertOrderIfAllowed(
  db: Db,
  order: NewOrder,
  rules: IntakeRules,
): Promise<IntakeFacts> {
  const simulated = order.kind === 'simulated';
  const [facts] = await db<IntakeFacts[]>`
    with facts as (
      select
        (select jsonb_build_object('id', o.id, 'status', o.status, 'test', o.test, 'agentId', o.agent_id,
            'phone', o.phone, 'externalReferenceId', o.external_reference_id,
            'estimatedDialSeconds', o.estimated_dial_seconds)
          from ${order.payload ? ofPayload(db, order, order.payload) : ofIdempotencyKey(db, order)}
        ) as existing,
        a.id is not null as agent_found, a.active as agent_active, a.published_version,
        v.config->'cadence' as cadence,
        w.plan_status, wa.balance_micros, wa.paused,
        ${order.kind === 'test_call' ? isConfirmed(db, order, rules) : db`true`} as number_confirmed,
        not ${simulated}::boolean and exists (select from do_not_contact d
          where d.workspace_id = w.id and d.phone = ${order.phone}) as suppressed,
        case when ${simulated}::boolean then (select count(*)::int from (select from orders o
          where o.workspace_id = w.id and o.test and o.simulated and o.created_at > ${rules.testOrdersSince}
          limit ${rules.testOrdersMax}) counted) else 0 end as test_orders
      from workspaces w
      join wallets wa on wa.workspace_id = w.id
      left join agents a on a.workspace_id = w.id and a.id = ${order.agentId}
      left join agent_versions v on v.workspace_id = w.id and v.agent_id = a.id and v.version = a.published_version
      where w.id = ${order.workspaceId}
    ), allowed as (
      select * from facts
      where ${rules.maySucceed} and existing is null and agent_active and published_version is not null
        and number_confirmed
        and (case when ${simulated} then test_orders < ${rules.testOrdersMax}
          else plan_status <> 'inactive' and not paused
            and balance_micros >= ${rules.minimumBalanceMicros} and not suppressed end)
    )${order.payload ? rememberPayload(db, order, order.payload) : db``}, inserted as (
      insert into orders (workspace_id, id, test, test_call, agent_id, agent_version, status, phone, first_name,
        custom_context, max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent, webhook_url,
        external_reference_id, idempotency_key, estimated_dial_seconds, next_dial_at, created_at, updated_at)
      select ${order.workspaceId}, ${order.id}, ${order.kind !== 'live'}, ${order.kind === 'test_call'},
        ${order.agentId}, published_version, 'QUEUED', ${order.phone}, ${order.firstName}, ${order.customContext},
        coalesce(${order.maxAttempts}::int, (cadence->>'maxAttempts')::int),
        coalesce(${order.retryIntervalMinutes}::int, (cadence->>'retryIntervalMinutes')::int),
        coalesce(${order.sendSmsOnVoicemail}::boolean, (cadence->>'sendSmsOnVoicemail')::boolean),
        ${db.json(order.consent as never)}, ${order.webhookUrl}, ${order.externalReferenceId},
        ${order.idempotencyKey}, ${order.estimatedDialSeconds}, ${order.nextDialAt}, ${order.now}, ${order.now}
      from allowed ${order.payload ? db`join remembered on true` : db``}
      on conflict (workspace_id, idempotency_key) where idempotency_key is not null do nothing
      returning id
    )
    select facts.*, inserted.id as inserted_id from facts left join inserted on true`;
  if (!facts) throw new Error('The workspace of an order is gone.');
  return facts;
}

function ofIdempotencyKey(db: Db, { workspaceId, idempotencyKey }: NewOrder) {
  return db`orders o where o.workspace_id = ${workspaceId} and o.idempotency_key = ${idempotencyKey}`;
}

function ofPayload(db: Db, { workspaceId }: NewOrder, payload: LeadPayload) {
  return db`trigger_leads l join orders o on o.workspace_id = l.workspace_id and o.id = l.order_id
    where l.workspace_id = ${workspaceId} and l.trigger_url_id = ${payload.triggerUrlId}
      and l.payload_hash = ${payload.hash} and l.accepted_at > ${payload.rememberedAfter}`;
}

/** Waits for whoever remembers the same payload right now; gives no row when that one is remembered. */
function rememberPayload(db: Db, order: NewOrder, payload: LeadPayload) {
  return db`, remembered as (
    insert into trigger_leads as l (workspace_id, trigger_url_id, payload_hash, order_id, accepted_at)
    select ${order.workspaceId}, ${payload.triggerUrlId}, ${payload.hash}, ${order.id}, ${order.now} from allowed
    on conflict (workspace_id, trigger_url_id, payload_hash) do update
      set order_id = excluded.order_id, accepted_at = excluded.accepted_at
      where l.accepted_at <= ${payload.rememberedAfter}
    returning order_id)`;
}

function isConfirmed(db: Db, { workspaceId, phone }: NewOrder, { confirmedSince }: IntakeRules) {
  return db`exists (select from confirmed_numbers c where c.workspace_id = ${workspaceId}
    and c.phone = ${phone} and c.confirmed_at >= ${confirmedSince})`;
}

/** Which of the sources that intake reads cannot be read; used after intake itself failed. */
export async function unreadableSource(db: Db): Promise<'do_not_contact' | 'wallets' | null> {
  if (await cannotRead(() => db`select 1 from wallets limit 1`)) return 'wallets';
  if (await cannotRead(() => db`select 1 from do_not_contact limit 1`)) return 'do_not_contact';
  return null;
}

async function cannotRead(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch {
    return true;
  }
}

export async function findOrder(db: Db, workspaceId: string, orderId: string) {
  const [order] = await db<Order[]>`
    select * from orders where workspace_id = ${workspaceId} and id = ${orderId}`;
  return order ?? null;
}

/** An order with all that a decision about it or a report of it needs, read at one instant. */
export interface OrderFile {
  readonly order: Order;
  readonly agent: AgentConfig;
  readonly attempts: readonly Attempt[];
  /** What was heard on the last attempt on which a person spoke. */
  readonly turns: readonly HeardTurn[];
  readonly hold: {
    readonly minutes: number;
    readonly minutePriceMicros: number;
    readonly textPriceMicros: number;
  } | null;
  readonly recorded: boolean;
  readonly defaultWebhookUrl: string | null;
  readonly testWebhookUrl: string | null;
}

export async function findOrderFile(
  db: Db,
  workspaceId: string,
  orderId: string,
): Promise<OrderFile | null> {
  const [[row], attempts, turns] = await Promise.all([
    db<(Order & Omit<OrderFile, 'order' | 'attempts' | 'turns'>)[]>`
      select o.*, v.config as agent, w.default_webhook_url, w.test_webhook_url,
        exists (select from recordings r where r.workspace_id = o.workspace_id and r.order_id = o.id
          and r.state <> 'deleted') as recorded,
        (select jsonb_build_object('minutes', h.minutes, 'minutePriceMicros', h.minute_price_micros,
            'textPriceMicros', h.text_price_micros)
          from holds h join attempts a on a.workspace_id = h.workspace_id and a.id = h.attempt_id
          where h.workspace_id = o.workspace_id and a.order_id = o.id and h.state = 'open') as hold
      from orders o
      join workspaces w on w.id = o.workspace_id
      join agent_versions v on v.workspace_id = o.workspace_id and v.agent_id = o.agent_id
        and v.version = o.agent_version
      where o.workspace_id = ${workspaceId} and o.id = ${orderId}`,
    db<Attempt[]>`
      select * from attempts where workspace_id = ${workspaceId} and order_id = ${orderId}
      order by created_at, id`,
    db<HeardTurn[]>`
      select position, role, text, start_ms, end_ms from transcript_turns
      where workspace_id = ${workspaceId} and attempt_id = (
        select id from attempts where workspace_id = ${workspaceId} and order_id = ${orderId}
          and answered_by is distinct from 'machine' and exists (select from transcript_turns t
            where t.workspace_id = ${workspaceId} and t.attempt_id = attempts.id and t.role = 'user')
        order by created_at desc, id desc limit 1)
      order by position`,
  ]);
  if (!row) return null;
  const { agent, defaultWebhookUrl, testWebhookUrl, recorded, hold, ...order } = row;
  return { order, agent, attempts, turns, hold, recorded, defaultWebhookUrl, testWebhookUrl };
}

/** Carries out a decided move whole or not at all; false when the order has moved meanwhile. */
export async function moveOrder(db: Db, move: OrderMove): Promise<boolean> {
  const [answer] = await db<{ moved: boolean }[]>`
    select move_order(${db.json(move as never)}) as moved`;
  return answer?.moved === true;
}
