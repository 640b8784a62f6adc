// Named SQL of the wallet, and the queries that prove the ledger.
import type { Db } from '../../platform/db.ts';

export interface WalletProof {
  readonly balanceMicros: number;
  readonly heldMicros: number;
  /** Sum of the wallet's ledger entries; always the balance. */
  readonly ledgerMicros: number;
  /** Sum of its open holds; always what is held. */
  readonly openHoldsMicros: number;
}

export async function findWallet(db: Db, workspaceId: string): Promise<WalletProof | null> {
  const [wallet] = await db<WalletProof[]>`
    select balance_micros, held_micros,
      (select coalesce(sum(amount_micros), 0)::bigint from ledger_entries e
        where e.workspace_id = w.workspace_id and account = 'wallet') as ledger_micros,
      (select coalesce(sum(amount_micros), 0)::bigint from holds h
        where h.workspace_id = w.workspace_id and state = 'open') as open_holds_micros
    from wallets w where workspace_id = ${workspaceId}`;
  return wallet ?? null;
}

/** Transfers whose entries do not sum to zero, over all workspaces: always none. */
export async function findUnbalancedTransfers(db: Db) {
  return db<{ workspaceId: string; transferId: string }[]>`
    select workspace_id, transfer_id from ledger_entries
    group by workspace_id, transfer_id having sum(amount_micros) <> 0`;
}
