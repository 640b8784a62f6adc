// Named SQL of agents.
import type { Db } from '../../platform/db.ts';
import type { AgentConfig } from './agent-config.ts';

export interface ListedAgent {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** Null, like its config, until the agent was published for the first time. */
  readonly publishedVersion: number | null;
  readonly publishedAt: Date | null;
  readonly config: AgentConfig | null;
  readonly callerNumbers: readonly string[];
  readonly hasCalendar: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export async function findAgents(db: Db, workspaceId: string): Promise<ListedAgent[]> {
  return db<ListedAgent[]>`
    select a.id, a.name, a.active, a.published_version, v.published_at, v.config,
      array(select phone from caller_numbers n where n.workspace_id = a.workspace_id and n.active
        order by n.id) as caller_numbers,
      exists (select from calendars c where c.workspace_id = a.workspace_id
        and c.broken_reason is null and (c.kind = 'cal_com' or exists (
          select from jsonb_array_elements(c.opening_hours) as day where day <> 'null'))) as has_calendar,
      a.created_at, a.updated_at
    from agents a
    left join agent_versions v on v.workspace_id = a.workspace_id and v.agent_id = a.id
      and v.version = a.published_version
    where a.workspace_id = ${workspaceId}
    order by a.name, a.id`;
}
