// Holds a workspace's row locked, as a slow transaction would, to stop others at a known statement.
import type { Db } from '../../platform/db.ts';

export async function lockRow(db: Db, table: 'wallets' | 'orders', workspaceId: string) {
  const connection = await db.reserve();
  await connection`begin`;
  await connection`select 1 from ${connection(table)} where workspace_id = ${workspaceId} for update`;
  const [row] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = row?.pid ?? 0;
  return {
    /** How many statements wait for the lock now. */
    async waiters(): Promise<number> {
      const waiting = await db`select 1 from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
      return waiting.length;
    },
    /** Ends the waiting statements without effect, as the death of their connection would. */
    async terminateWaiters() {
      await db`select pg_terminate_backend(pid) from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
    },
    async release() {
      await connection`commit`;
      connection.release();
    },
  };
}
