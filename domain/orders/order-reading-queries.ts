// Named SQL of GET of one order: everything in one statement, so it is one round trip and one instant.
import type { Db } from '../../platform/db.ts';
import type { AgentHours } from '../calling-hours/next-legal-minute.ts';
import type { Order } from './order.ts';
import type { OrderPaper, ReportedAttempt } from './order-body.ts';

type JsonAttempt = Omit<ReportedAttempt, 'createdAt' | 'talkStartedAt' | 'endedAt'> & {
  readonly createdAt: string;
  readonly talkStartedAt: string | null;
  readonly endedAt: string | null;
};

/** The transcript is chosen as `transcriptOf` chooses it. */
export async function findOrderPaper(
  db: Db,
  workspaceId: string,
  orderId: string,
): Promise<OrderPaper | null> {
  type Row = Order & {
    recorded: boolean;
    agentHours: AgentHours;
    attempts: JsonAttempt[] | null;
    turns: OrderPaper['turns'] | null;
  };
  const [row] = await db<Row[]>`
    select o.*,
      exists (select from recordings r where r.workspace_id = o.workspace_id and r.order_id = o.id
        and r.state <> 'deleted') as recorded,
      ${agentHoursSql(db)} as agent_hours,
      (select jsonb_agg(jsonb_build_object('number', number, 'createdAt', created_at,
          'talkStartedAt', talk_started_at, 'endedAt', ended_at, 'outcome', outcome,
          'answeredBy', answered_by, 'durationSeconds', duration_seconds,
          'chargedMicros', charged_micros) order by created_at, id)
        from attempts where workspace_id = o.workspace_id and order_id = o.id
          and state <> 'not_placed') as attempts,
      (select jsonb_agg(jsonb_build_object('role', role, 'text', text) order by position)
        from transcript_turns where workspace_id = o.workspace_id and attempt_id = (
          select id from attempts a where a.workspace_id = o.workspace_id and a.order_id = o.id
            and a.state <> 'not_placed' and a.answered_by is distinct from 'machine'
            and coalesce(a.outcome, 'person') in ('person', 'dropped', 'failed') and exists (
              select from transcript_turns t
              where t.workspace_id = a.workspace_id and t.attempt_id = a.id and t.role = 'user')
          order by a.created_at desc, a.id desc limit 1)) as turns
    from orders o where o.workspace_id = ${workspaceId} and o.id = ${orderId}`;
  if (!row) return null;
  const { recorded, agentHours, attempts, turns } = row;
  return {
    order: row,
    recorded,
    agentHours,
    attempts: (attempts ?? []).map(readAttempt),
    turns: turns ?? [],
  };
}

/** Only looked up while a dial is due: nothing else waits for the hours. */
export function agentHoursSql(db: Db) {
  return db`case when o.next_dial_at is not null then (
    select nullif(v.config->'callingHours', 'null') from agent_versions v
    where v.workspace_id = o.workspace_id and v.agent_id = o.agent_id and v.version = o.agent_version) end`;
}

/** Times inside JSON arrive as text. */
function readAttempt(attempt: JsonAttempt): ReportedAttempt {
  const { createdAt, talkStartedAt, endedAt } = attempt;
  return {
    ...attempt,
    createdAt: new Date(createdAt),
    talkStartedAt: talkStartedAt === null ? null : new Date(talkStartedAt),
    endedAt: endedAt === null ? null : new Date(endedAt),
  };
}
