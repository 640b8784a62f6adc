// Why the account of a key would refuse any order now: the refusals of intake that no order changes. Pure.
import { limits } from '../../openapi/limits.ts';
import type { BlockedReason } from '../../openapi/me.ts';
import type { KeyIdentity } from './key-identity.ts';

export interface AccountFacts {
  readonly mode: KeyIdentity['mode'];
  readonly planStatus: 'active' | 'past_due' | 'inactive';
  /** Null when it cannot be read. */
  readonly wallet: { readonly balanceMicros: number; readonly paused: boolean } | null;
  readonly testOrders: number;
}

export function orderBlocker(account: AccountFacts): BlockedReason | null {
  const { mode, planStatus, wallet, testOrders } = account;
  if (mode === 'test') return testOrders >= limits.testOrders.per24Hours ? 'rate_limited' : null;
  if (planStatus === 'inactive') return 'plan_inactive';
  if (!wallet) return 'wallet_unavailable';
  const isShort = wallet.balanceMicros < limits.wallet.minimumToOrderMicros;
  return wallet.paused || isShort ? 'insufficient_balance' : null;
}
