// Named SQL of the proof: each fact of a wallet beside what it must equal.
import type { Db } from '../../platform/db.ts';
import type { ProofFacts } from './wallet-proof.ts';

/** Before all that is in the ledger. */
const longAgo = new Date(0);

/**
 * One statement, so that all is read at one instant while money moves. Sums are whole; single transfers are looked at
 * since a moment, as they never change. Null when there is no such wallet.
 */
export async function findProofFacts(
  db: Db,
  workspaceId: string,
  since: Date | null,
): Promise<ProofFacts | null> {
  const [facts] = await db<ProofFacts[]>`
    select w.workspace_id, w.balance_micros, w.held_micros,
      (select coalesce(sum(amount_micros), 0)::bigint from ledger_entries e
        where e.workspace_id = w.workspace_id and account = 'wallet') as ledger_micros,
      (select coalesce(sum(amount_micros), 0)::bigint from holds h
        where h.workspace_id = w.workspace_id and state = 'open') as open_holds_micros,
      (select count(*)::int from ledger_transfers t cross join lateral (
          select count(*) as entries, sum(amount_micros) as rest, max(amount_micros) as amount_micros
          from ledger_entries e where e.workspace_id = t.workspace_id and e.transfer_id = t.id) e
        where t.workspace_id = w.workspace_id and t.created_at >= ${since ?? longAgo}
          and (e.entries, e.rest, e.amount_micros) is distinct from (2, 0, t.amount_micros)
      ) as unbalanced_transfers,
      (select count(*)::int from (select id, charged_micros from attempts a
          where a.workspace_id = w.workspace_id and not a.test and a.charged_micros > 0
            and a.ended_at >= ${since ?? longAgo}) a
        full join (select attempt_id, amount_micros from ledger_transfers t
          where t.workspace_id = w.workspace_id and t.kind = 'call'
            and t.created_at >= ${since ?? longAgo}) t on t.attempt_id = a.id
        where a.charged_micros is distinct from t.amount_micros) as wrong_charges,
      (select count(*)::int from (select id from attempts a where a.workspace_id = w.workspace_id and not a.test
          and a.state in ('intent', 'unknown', 'placed', 'answered')) a
        full join (select attempt_id from holds h where h.workspace_id = w.workspace_id and h.state = 'open') h
          on h.attempt_id = a.id
        where a.id is null or h.attempt_id is null) as stray_holds
    from wallets w where w.workspace_id = ${workspaceId}`;
  return facts ?? null;
}

export async function listWallets(db: Db, page: { after: string; max: number }): Promise<string[]> {
  const rows = await db<{ workspaceId: string }[]>`
    select workspace_id from wallets where workspace_id > ${page.after} order by workspace_id limit ${page.max}`;
  return rows.map(({ workspaceId }) => workspaceId);
}
