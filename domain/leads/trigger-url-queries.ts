// Named SQL of trigger URLs.
import type { Db } from '../../platform/db.ts';
import { countingSql } from '../../platform/rate-limit.ts';
import { shareFlight } from '../../platform/share-flight.ts';

export interface TriggerUrl {
  readonly workspaceId: string;
  readonly id: string;
  readonly agentId: string;
  readonly consentStatement: string;
}

/** A lead that came to the URL of a token: the URL, and how many came in its present minute with this one. */
export type LeadAtUrl = TriggerUrl & { readonly leadsInWindow: number };

const askers = new WeakMap<Db, (lead: CountedLead) => Promise<LeadAtUrl | null>>();

interface CountedLead {
  readonly tokenHash: Buffer;
  readonly windowSeconds: number;
  readonly now: Date;
}

/**
 * Null, and nothing is counted, when the token is unknown, or its URL or agent is off. Leads that come while a count
 * is on its way share the next statement.
 */
export function countLeadAtUrl(db: Db, lead: CountedLead): Promise<LeadAtUrl | null> {
  const known = askers.get(db);
  if (known) return known(lead);
  const made = shareFlight((leads: readonly CountedLead[]) => countTogether(db, leads));
  askers.set(db, made);
  return made(lead);
}

async function countTogether(db: Db, leads: readonly CountedLead[]) {
  const byToken = Map.groupBy(leads, ({ tokenHash }) => tokenHash.toString('hex'));
  const urls = new Map<string, LeadAtUrl>();
  for (const { token, ...url } of await countLeads(db, byToken)) urls.set(token, url);
  return leads.map((lead) => {
    const token = lead.tokenHash.toString('hex');
    const url = urls.get(token);
    if (!url) return null;
    // The counter stands behind the last of them.
    const behind = (byToken.get(token)?.length ?? 0) - 1 - (byToken.get(token)?.indexOf(lead) ?? 0);
    return { ...url, leadsInWindow: url.leadsInWindow - behind };
  });
}

function countLeads(db: Db, byToken: ReadonlyMap<string, readonly CountedLead[]>) {
  const tokens = [...byToken].flatMap(([token, [first, ...others]]) =>
    first ? [{ token, ...first, count: others.length + 1 }] : [],
  );
  const asked = db`(select bucket, now, seconds, count from url) asked`;
  // The token names the workspace, so this look-up is not filtered by it.
  return db<(LeadAtUrl & { readonly token: string })[]>`
    with url as materialized (
      select asked.*, u.workspace_id, u.id, u.agent_id, u.consent_statement,
        'leads:' || u.workspace_id || ':' || u.id as bucket
      from unnest(${tokens.map(({ token }) => token)}::text[],
          ${tokens.map(({ now }) => now.toISOString())}::timestamptz[],
          ${tokens.map(({ windowSeconds }) => windowSeconds)}::int[],
          ${tokens.map(({ count }) => count)}::int[]) as asked(token, now, seconds, count)
        join trigger_urls u on u.token_hash = decode(asked.token, 'hex')
        join agents a on a.workspace_id = u.workspace_id and a.id = u.agent_id
      where u.active and a.active
    ), counted as (${countingSql(db, asked)})
    select url.token, url.workspace_id, url.id, url.agent_id, url.consent_statement,
      counted.used as leads_in_window
    from url join counted using (bucket)`;
}
