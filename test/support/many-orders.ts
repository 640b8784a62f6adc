// A workspace that has been busy for long: one order a minute up to a moment, as years of use leave them.
import type { OrderStatus } from '../../openapi/outcome.ts';
import type { Db } from '../../platform/db.ts';

export interface BusyWorkspace {
  readonly workspaceId: string;
  /** Each has its share of the orders, in turn. */
  readonly agentIds: readonly string[];
  readonly count: number;
  readonly newestAt: Date;
}

/** Most are final within minutes, some after hours, a few after days; one in twenty is open. */
export async function insertManyOrders(db: Db, busy: BusyWorkspace): Promise<void> {
  const { workspaceId, agentIds, count, newestAt } = busy;
  // One statement may not run for long, so the rows come in parts.
  const partSize = 50_000;
  for (let first = 0; first < count; first += partSize)
    await db`
      insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
        max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent,
        estimated_dial_seconds, created_at, updated_at, completed_at)
      select ${workspaceId}, 'ord_' || lpad(n::text, 9, '0'), false,
        (${agentIds}::text[])[1 + n % ${agentIds.length}], 1,
        case when n % 20 = 0 then 'DIALING' when n % 7 = 0 then 'BOOKED'
          when n % 5 = 0 then 'QUALIFIED' when n % 3 = 0 then 'FAILED' else 'DISQUALIFIED' end,
        '+12125550101', 3, 60, true,
        '{"opt_in_confirmed": true, "consented_at": "2026-01-01T00:00:00Z", "source": "form"}',
        2, created_at, created_at + lifetime,
        case when n % 20 <> 0 then created_at + lifetime end
      from generate_series(${first}::int, ${Math.min(count, first + partSize) - 1}::int) n
      cross join lateral (select ${newestAt} - n * interval '1 minute' as created_at,
        case when n % 211 = 0 then interval '3 days' when n % 17 = 0 then interval '2 hours'
          else interval '90 seconds' end * ((n % 1000 * 7919) % 1000 / 1000.0) as lifetime) times`;
  // A connection of its own, on which it may take its time.
  const connection = await db.reserve();
  await connection`set statement_timeout = 0`;
  await connection`vacuum analyze orders`;
  await connection`reset statement_timeout`;
  connection.release();
}

/** Every combination of the filters, with a moment of long ago and one of just now, and with a cursor. */
export function filterCombinations(busy: BusyWorkspace) {
  const minutesAgo = (minutes: number) => new Date(busy.newestAt.getTime() - minutes * 60_000);
  const statuses: (readonly OrderStatus[] | null)[] = [null, ['DIALING'], ['BOOKED', 'DIALING']];
  const agentIds = [null, busy.agentIds[0] ?? null];
  const sinces = [null, minutesAgo(5), minutesAgo(busy.count / 2)];
  const middle = minutesAgo(Math.floor((busy.count * 3) / 4));
  const cursors = [null, { createdAt: middle.toISOString(), id: 'ord_1' }];
  return statuses.flatMap((wanted) =>
    agentIds.flatMap((agentId) =>
      sinces.flatMap((since) =>
        cursors.map((after) => ({
          filter: { statuses: wanted, agentId, since },
          after,
          name: [
            wanted ? `status=${wanted.join()}` : '',
            agentId ? 'agent_id' : '',
            since ? `since ${since === sinces[1] ? 'just now' : 'long ago'}` : '',
            after ? 'cursor' : '',
          ]
            .filter(Boolean)
            .join(', '),
        })),
      ),
    ),
  );
}
