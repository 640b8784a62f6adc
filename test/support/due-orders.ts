// Live orders that wait in numbers, written straight to the table: each to a phone number of its own.
import type { Db } from '../../platform/db.ts';

export interface DueOrders {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly count: number;
  readonly dueAt: Date;
  readonly createdAt?: Date;
  /** Dials made before; those orders are retries. */
  readonly attemptNumber?: number;
  /** Begins their ids, so that several lots of one workspace stay apart. */
  readonly idPrefix?: string;
  /** One number for all, in place of one for each. */
  readonly phone?: string;
}

/** A part at a time, as one statement may not run for long. */
const partSize = 50_000;

/** Answers their ids, oldest first. */
export async function insertDueOrders(db: Db, orders: DueOrders): Promise<string[]> {
  const { attemptNumber = 0, idPrefix = 'ord_due', phone = null, dueAt } = orders;
  const ids: string[] = [];
  for (let first = 0; first < orders.count; first += partSize) {
    const rows = await db<{ id: string }[]>`
      insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
        attempt_number, max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent,
        estimated_dial_seconds, next_dial_at, created_at, updated_at)
      select ${orders.workspaceId}, ${idPrefix} || lpad(n::text, 9, '0'), false,
        ${orders.agentId}, 1,
        ${attemptNumber === 0 ? 'QUEUED' : 'RETRY_SCHEDULED'},
        coalesce(${phone}, '+1646' || (2000000 + n)::text), ${attemptNumber}, 3, 60,
        false,
        '{"opt_in_confirmed": true, "consented_at": "2026-01-01T00:00:00Z", "source": "form"}', 2,
        ${dueAt}, ${orders.createdAt ?? dueAt}::timestamptz + n * interval '1 microsecond', ${dueAt}
      from generate_series(${first}::int, ${Math.min(orders.count, first + partSize) - 1}::int) n
      returning id`;
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}
