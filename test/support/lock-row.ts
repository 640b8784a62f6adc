// Stops others at a known statement, as a slow transaction would.
import type { Db } from '../../platform/db.ts';
import type { TestWorkspace } from './factories.ts';

type Connection = Awaited<ReturnType<Db['reserve']>>;

/** Holds a workspace's row locked. */
export function lockRow(db: Db, table: 'wallets' | 'orders', workspaceId: string) {
  return lockWith(
    db,
    (connection) =>
      connection`select 1 from ${connection(table)} where workspace_id = ${workspaceId} for update`,
  );
}

/** Holds an Idempotency-Key by an order that is never committed. */
export function lockIdempotencyKey(db: Db, workspace: TestWorkspace, key: string) {
  return lockWith(
    db,
    (connection) => connection`
      insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
        max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent, idempotency_key,
        estimated_dial_seconds, next_dial_at, created_at, updated_at)
      values (${workspace.id}, 'ord_rival', false, ${workspace.agentId}, 1, 'QUEUED',
        '+12125550100', 3, 60,
        true, '{}', ${key}, 1, now(), now(), now())`,
  );
}

async function lockWith(db: Db, lock: (connection: Connection) => Promise<unknown>) {
  const connection = await db.reserve();
  await connection`begin`;
  await lock(connection);
  const [row] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = row?.pid ?? 0;
  return {
    /** How many statements wait for the lock now. */
    async waiters(): Promise<number> {
      const waiting =
        await db`select 1 from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
      return waiting.length;
    },
    /** Ends the waiting statements without effect, as the death of their connection would. */
    async terminateWaiters() {
      await db`
        select pg_terminate_backend(pid) from pg_stat_activity
        where ${pid} = any(pg_blocking_pids(pid))`;
    },
    async release() {
      await connection`rollback`;
      connection.release();
    },
  };
}
