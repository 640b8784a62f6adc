// Named SQL of what a key may know of its account.
import type { Db } from '../../platform/db.ts';
import type { KeyIdentity } from './key-identity.ts';

export interface Account {
  readonly workspace: { readonly id: string; readonly name: string; readonly timezone: string };
  readonly planStatus: 'active' | 'past_due' | 'inactive';
  readonly liveCallLimit: number;
  readonly liveCalls: number;
  /** Counted no further than the limit. */
  readonly testOrders: number;
  readonly keyName: string;
  readonly last4: string;
  readonly keyCreatedAt: Date;
}

export async function findAccount(
  db: Db,
  { workspaceId, keyId }: KeyIdentity,
  { since, testOrdersMax }: { since: Date; testOrdersMax: number },
): Promise<Account | null> {
  const [account] = await db<Account[]>`
    select jsonb_build_object('id', w.id, 'name', w.name, 'timezone', w.timezone) as workspace,
      w.plan_status, w.live_call_limit,
      (select count(*)::int from attempts a where a.workspace_id = w.id and not a.test
        and a.state in ('intent', 'unknown', 'placed', 'answered')) as live_calls,
      (select count(*)::int from (select from orders o where o.workspace_id = w.id and o.test and o.simulated
        and o.created_at > ${since} limit ${testOrdersMax}) counted) as test_orders,
      k.name as key_name, k.last4, k.created_at as key_created_at
    from workspaces w join api_keys k on k.workspace_id = w.id
    where w.id = ${workspaceId} and k.id = ${keyId}`;
  return account ?? null;
}

export interface WalletState {
  readonly balanceMicros: number;
  readonly heldMicros: number;
  readonly paused: boolean;
  /** Caller numbers whose rent fell due and could not be paid. */
  readonly unpaidRents: number;
}

export async function findWalletState(db: Db, workspaceId: string): Promise<WalletState | null> {
  const [wallet] = await db<WalletState[]>`
    select balance_micros, held_micros, paused,
      (select count(*)::int from caller_numbers n
        where n.workspace_id = w.workspace_id and n.active and n.rent_unpaid_since is not null) as unpaid_rents
    from wallets w where workspace_id = ${workspaceId}`;
  return wallet ?? null;
}
