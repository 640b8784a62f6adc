// Named SQL of the proof: each fact of a wallet beside what it must equal.
import type { Db } from '../../platform/db.ts';
import type { TransferFacts, WalletFacts } from './wallet-proof.ts';

/** One statement, so that all is read at one instant while money moves. Null when there is no such wallet. */
export async function findWalletFacts(db: Db, workspaceId: string): Promise<WalletFacts | null> {
  const [facts] = await db<WalletFacts[]>`
    select w.balance_micros, w.held_micros,
      (select coalesce(sum(amount_micros), 0)::bigint from ledger_entries e
        where e.workspace_id = w.workspace_id and account = 'wallet') as ledger_micros,
      (select coalesce(sum(amount_micros), 0)::bigint from holds h
        where h.workspace_id = w.workspace_id and state = 'open') as open_holds_micros,
      (select count(*)::int from (select id from attempts a where a.workspace_id = w.workspace_id and not a.test
          and a.state in ('intent', 'unknown', 'placed', 'answered')) a
        full join (select attempt_id from holds h where h.workspace_id = w.workspace_id and h.state = 'open') h
          on h.attempt_id = a.id
        where a.id is null or h.attempt_id is null) as stray_holds
    from wallets w where w.workspace_id = ${workspaceId}`;
  return facts ?? null;
}

/** What was booked from a moment on and before another; it never changes, so it may be looked at in parts. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
}

export async function findTransferFacts(
  db: Db,
  workspaceId: string,
  { from, until }: Period,
): Promise<TransferFacts> {
  const [facts] = await db<TransferFacts[]>`
    select
      (select count(*)::int from ledger_transfers t cross join lateral (
          select count(*) as entries, sum(amount_micros) as rest, max(amount_micros) as amount_micros
          from ledger_entries e where e.workspace_id = t.workspace_id and e.transfer_id = t.id) e
        where t.workspace_id = ${workspaceId} and t.created_at >= ${from} and t.created_at < ${until}
          and (e.entries, e.rest, e.amount_micros) is distinct from (2, 0, t.amount_micros)
      ) as unbalanced_transfers,
      (select count(*)::int from (select id, charged_micros from attempts a
          where a.workspace_id = ${workspaceId} and not a.test and a.charged_micros > 0
            and a.ended_at >= ${from} and a.ended_at < ${until}) a
        full join (select attempt_id, amount_micros from ledger_transfers t
          where t.workspace_id = ${workspaceId} and t.kind = 'call'
            and t.created_at >= ${from} and t.created_at < ${until}) t on t.attempt_id = a.id
        where a.charged_micros is distinct from t.amount_micros) as wrong_charges`;
  if (!facts) throw new Error('A select without a table gives one row.');
  return facts;
}

/** The times of the first and the last thing that was booked; null when nothing was. */
export async function findLedgerSpan(
  db: Db,
  workspaceId: string,
): Promise<{ first: Date; last: Date } | null> {
  const [span] = await db<{ first: Date | null; last: Date | null }[]>`
    select least(
        (select min(created_at) from ledger_transfers where workspace_id = ${workspaceId}),
        (select min(ended_at) from attempts where workspace_id = ${workspaceId} and charged_micros > 0)) as first,
      greatest(
        (select max(created_at) from ledger_transfers where workspace_id = ${workspaceId}),
        (select max(ended_at) from attempts where workspace_id = ${workspaceId} and charged_micros > 0)) as last`;
  return span?.first && span.last ? { first: span.first, last: span.last } : null;
}

export async function listWallets(db: Db, page: { after: string; max: number }): Promise<string[]> {
  const rows = await db<{ workspaceId: string }[]>`
    select workspace_id from wallets where workspace_id > ${page.after} order by workspace_id limit ${page.max}`;
  return rows.map(({ workspaceId }) => workspaceId);
}
