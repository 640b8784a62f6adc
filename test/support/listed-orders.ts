// Orders as a list meets them: many at once, with their times set.
import type { OrderStatus } from '../../openapi/outcome.ts';
import type { Db } from '../../platform/db.ts';
import type { TestWorkspace } from './factories.ts';

export interface ListedOrderRow {
  readonly id: string;
  /** Minutes after 2026 began. */
  readonly minute: number;
  /** When it last changed; at once unless given. */
  readonly changedMinute?: number;
  readonly status?: OrderStatus;
  readonly agentId?: string;
}

export async function insertListedOrders(
  db: Db,
  workspace: Pick<TestWorkspace, 'id' | 'agentId'>,
  rows: readonly ListedOrderRow[],
): Promise<void> {
  const values = rows.map(({ minute, changedMinute, status = 'QUEUED', ...row }) => {
    const created = timeOf(minute);
    const final = ['BOOKED', 'QUALIFIED', 'DISQUALIFIED', 'FAILED'].includes(status);
    return {
      id: row.id,
      agent_id: row.agentId ?? workspace.agentId,
      status,
      created,
      updated: timeOf(Math.max(minute, changedMinute ?? minute)),
      completed: final ? created : null,
    };
  });
  await db`
    insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
      max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent,
      estimated_dial_seconds, created_at, updated_at, completed_at)
    select ${workspace.id}, r.id, false, r.agent_id, 1, r.status,
      '+12125550101', 3, 60, true, '{}', 1,
      r.created, r.updated, r.completed
    from jsonb_to_recordset(${db.json(values as never)}) as r(id text, agent_id text, status text,
      created timestamptz, updated timestamptz, completed timestamptz)`;
}

function timeOf(minute: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
}
