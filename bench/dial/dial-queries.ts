// Named SQL of the dial benchmark.
import type { Db } from '../../platform/db.ts';

/** Each with a wallet, a caller number and the demo's agent. */
export async function insertDialWorkspaces(db: Db, count: number, now: Date) {
  await db`
    with made as (
      insert into workspaces (id, name, webhook_secret_sealed, created_at)
      select 'wsp_dial_' || n, 'Dials', 'none', ${now} from generate_series(1, ${count}::int) n returning id
    ), wallet as (
      insert into wallets (workspace_id, balance_micros) select id, 1000000000 from made
    ), number as (
      insert into caller_numbers (workspace_id, id, phone, created_at)
      select id, 'num_1', '+12125550199', ${now} from made
    ), agent as (
      insert into agents (workspace_id, id, name, published_version, created_at, updated_at)
      select id, 'agt_1', 'Agent', 1, ${now}, ${now} from made returning workspace_id
    )
    insert into agent_versions (workspace_id, agent_id, version, config, published_at)
    select made.id, 'agt_1', 1, v.config, ${now} from made, agent_versions v
    where v.workspace_id = 'wsp_demo' and v.agent_id = 'agt_demo' and v.version = 1`;
}

/** One due order for each of them. */
export async function insertDialOrders(db: Db, count: number, phone: string, now: Date) {
  await db`
    insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone, max_attempts,
      retry_interval_minutes, send_sms_on_voicemail, consent, estimated_dial_seconds, next_dial_at, created_at,
      updated_at)
    select 'wsp_dial_' || n, 'ord_' || n, false, 'agt_1', 1, 'QUEUED', ${phone}, 3, 60, true,
      '{"opt_in_confirmed": true, "consented_at": "2026-01-01T00:00:00Z", "source": "form"}', 2,
      ${now}, ${now}, ${now} from generate_series(1, ${count}::int) n`;
}

export async function addIdleJobs(db: Db, count: number) {
  await db`
    select count(*) from graphile_worker.add_jobs(array(
      select row('nothing', '{}'::json, null, now(), 3, null, 0, null)::graphile_worker.job_spec
      from generate_series(1, ${count}::int)))`;
}

export async function addPump(db: Db) {
  await db`select graphile_worker.add_job('pump')`;
}

export async function countIdleJobs(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from graphile_worker.jobs where task_identifier = 'nothing'`;
  return row?.count ?? 0;
}

export async function countPlaced(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from attempts where placed_at is not null and caller_number is not null`;
  return row?.count ?? 0;
}

export async function findPlacedAt(db: Db, orderId: string): Promise<Date | null> {
  const [row] = await db<{ placedAt: Date | null }[]>`
    select placed_at from attempts where order_id = ${orderId}`;
  return row?.placedAt ?? null;
}

export async function emptyDials(db: Db) {
  await db`truncate orders, holds cascade`;
  await db`update wallets set held_micros = 0`;
}

/** Orders that wait for tomorrow, spread over these many workspaces. */
export async function insertWaitingOrders(
  db: Db,
  waiting: { count: number; workspaces: number; dueAt: Date; now: Date },
) {
  // A connection of its own, on which it may take its time, and whose rows are right without being checked.
  const connection = await db.reserve();
  await connection`set statement_timeout = 0`;
  await connection`set session_replication_role = replica`;
  const partSize = 10_000;
  for (let first = 0; first < waiting.count; first += partSize)
    await connection`
      insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone, max_attempts,
        retry_interval_minutes, send_sms_on_voicemail, consent, estimated_dial_seconds, next_dial_at, created_at,
        updated_at)
      select 'wsp_dial_' || 1 + n % ${waiting.workspaces}::int, 'ord_w' || lpad(n::text, 9, '0'), false, 'agt_1', 1,
        'QUEUED', '+1646' || (2000000 + n)::text, 3, 60, true,
        '{"opt_in_confirmed": true, "consented_at": "2026-01-01T00:00:00Z", "source": "form"}', 2,
        ${waiting.dueAt}::timestamptz + n * interval '10 milliseconds', ${waiting.now}, ${waiting.now}
      from generate_series(${first}::int, ${Math.min(waiting.count, first + partSize) - 1}::int) n`;
  await connection`vacuum analyze orders`;
  await connection`reset all`;
  connection.release();
}

export async function createDatabase(db: Db, name: string) {
  await db.unsafe(`create database ${name}`);
}
