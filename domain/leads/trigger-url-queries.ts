// Named SQL of trigger URLs.
import type { Db } from '../../platform/db.ts';
import { countingSql } from '../../platform/rate-limit.ts';

export interface TriggerUrl {
  readonly workspaceId: string;
  readonly id: string;
  readonly agentId: string;
  readonly consentStatement: string;
}

/**
 * The URL of a token, and the leads of its present minute with this one. Null, and nothing is counted, when the token
 * is unknown, or its URL or agent is off.
 */
export async function countLeadAtUrl(
  db: Db,
  lead: { tokenHash: Buffer; windowSeconds: number; now: Date },
): Promise<(TriggerUrl & { readonly leadsInWindow: number }) | null> {
  const asked = db`
    (select 'leads:' || workspace_id || ':' || id as bucket, ${lead.now}::timestamptz as now,
      ${lead.windowSeconds}::int as seconds, 1 as count from url) asked`;
  // The token names the workspace, so this look-up is not filtered by it.
  const [url] = await db<(TriggerUrl & { readonly leadsInWindow: number })[]>`
    with url as materialized (
      select u.workspace_id, u.id, u.agent_id, u.consent_statement
      from trigger_urls u join agents a on a.workspace_id = u.workspace_id and a.id = u.agent_id
      where u.token_hash = ${lead.tokenHash} and u.active and a.active
    ), counted as (${countingSql(db, asked)})
    select url.*, counted.used as leads_in_window from url, counted`;
  return url ?? null;
}
