// GET /v1/me: the workspace and the key behind a request, and what they may do now.
import { limits } from '../../openapi/limits.ts';
import type { Me } from '../../openapi/me.ts';
import { centsFromMicros, microsPerCent } from '../billing/pricing.ts';
import type { Context } from '../context.ts';
import type { KeyIdentity } from './key-identity.ts';
import { findAccount, findWalletState, type WalletState } from './account-queries.ts';
import { orderBlocker } from './order-blocker.ts';

const dayMs = 24 * 60 * 60 * 1000;

export async function readMe(ctx: Context, key: KeyIdentity): Promise<Me> {
  const since = new Date(ctx.clock.now().getTime() - dayMs);
  const testOrdersMax = limits.testOrders.per24Hours;
  const [account, wallet] = await Promise.all([
    findAccount(ctx.db, key, { since, testOrdersMax }),
    readWalletState(ctx, key.workspaceId),
  ]);
  if (!account) throw new Error('The key of this request is gone.');
  const { planStatus, testOrders } = account;
  const blockedReason = orderBlocker({ mode: key.mode, planStatus, wallet, testOrders });
  return {
    success: true,
    workspace: account.workspace,
    key: {
      id: key.keyId,
      name: account.keyName,
      mode: key.mode,
      last4: account.last4,
      created_at: account.keyCreatedAt.toISOString(),
    },
    plan: { status: planStatus },
    wallet: wallet && walletBody(wallet),
    can_place_orders: blockedReason === null,
    blocked_reason: blockedReason,
    limits: {
      live_calls: { limit: account.liveCallLimit, current: account.liveCalls },
      test_orders: { limit: testOrdersMax, used: testOrders },
      reads_per_minute: limits.reads.perMinute,
    },
  };
}

/** Whoever asks who they are should learn it even while the wallet cannot be read. */
async function readWalletState(ctx: Context, workspaceId: string): Promise<WalletState | null> {
  try {
    return await findWalletState(ctx.db, workspaceId);
  } catch (err) {
    ctx.log.warn({ err, workspaceId }, 'wallet could not be read');
    return null;
  }
}

/** Never more than there is: an order is refused at 99.9 cents. */
function walletBody({
  balanceMicros,
  heldMicros,
  unpaidRents,
}: WalletState): NonNullable<Me['wallet']> {
  return {
    balance_cents: Math.floor(balanceMicros / microsPerCent),
    held_cents: Math.ceil(heldMicros / microsPerCent),
    available_cents: Math.floor((balanceMicros - heldMicros) / microsPerCent),
    unpaid_rent_cents: centsFromMicros(unpaidRents * limits.pricing.phoneNumberMonthlyMicros),
    currency: 'USD',
  };
}
