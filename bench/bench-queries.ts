// Named SQL of the benchmarks' floors.
import type { Db } from '../platform/db.ts';

/** The same row as an accepted order, without a single check. */
export async function insertBareOrder(
  db: Db,
  order: { id: string; phone: string; consent: unknown; now: Date },
) {
  await db`
    insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone, first_name,
      custom_context, max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent, webhook_url,
      external_reference_id, idempotency_key, estimated_dial_seconds, next_dial_at, created_at, updated_at)
    values ('wsp_demo', ${order.id}, false, 'agt_demo', 1, 'QUEUED', ${order.phone}, 'Dana', null, 3, 60, true,
      ${db.json(order.consent as never)}, null, null, null, 2, ${order.now}, ${order.now}, ${order.now})`;
}

/** One URL per token, all of the demo workspace's agent. */
export async function insertTriggerUrls(db: Db, tokenHashes: readonly Buffer[], now: Date) {
  const hex = tokenHashes.map((hash) => hash.toString('hex'));
  await db`
    insert into trigger_urls (workspace_id, id, agent_id, token_hash, active, consent_statement,
      consent_statement_accepted_at, created_at)
    select 'wsp_demo', 'trg_' || hash, 'agt_demo', decode(hash, 'hex'), true, 'Agreed to be called.',
      ${now}, ${now} from unnest(${hex}::text[]) hash`;
}

export async function emptyOrders(db: Db) {
  await db`truncate orders cascade`;
}

export async function selectBareOrder(db: Db, id: string) {
  const [order] = await db`select * from orders where workspace_id = 'wsp_demo' and id = ${id}`;
  return order;
}

export async function selectBareOrders(db: Db) {
  return db`
    select * from orders where workspace_id = 'wsp_demo' order by created_at desc, id desc limit 50`;
}

/** The limit is counted as ever, from so far below it that the load never meets it. */
export async function openReadWindow(db: Db, now: Date) {
  await db`
    insert into rate_windows as w
    values ('reads:wsp_demo', ${now}, ${now}::timestamptz + interval '60 seconds', -1000000000)
    on conflict (bucket) do update set opened_at = excluded.opened_at, ends_at = excluded.ends_at,
      used = excluded.used`;
}
