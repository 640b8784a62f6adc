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

export async function emptyOrders(db: Db) {
  await db`truncate orders cascade`;
}
