// Every few minutes: deposits of which no event came are looked up at the provider.
import type { Context } from '../context.ts';
import { applyCheckout } from './apply-checkout.ts';
import { billingLimits as limits } from './billing-limits.ts';
import * as queries from './deposit-queries.ts';
import type { Payments } from './payments.ts';

export async function lookUpDeposits(ctx: Context): Promise<void> {
  const { payments } = ctx;
  if (!payments) return;
  const now = ctx.clock.now();
  const inMinutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const look = {
    now,
    youngSince: inMinutes(-limits.lookUpOftenForMinutes),
    soonAt: inMinutes(limits.lookUpEveryMinutes),
    laterAt: inMinutes(limits.lookUpLaterEveryMinutes),
    max: limits.lookUpBatch,
  };
  await queries.closeForgottenDeposits(ctx.db, { before: look.youngSince, now });
  for (;;) {
    const batch = await queries.claimDepositsToLookUp(ctx.db, look);
    for (const deposit of batch) await lookUp(ctx, payments, deposit);
    if (batch.length < limits.lookUpBatch) return;
  }
}

async function lookUp(ctx: Context, payments: Payments, deposit: queries.OpenDeposit) {
  const { workspaceId, depositId, checkoutId } = deposit;
  const found = await payments.findCheckout(checkoutId);
  if (found.kind === 'found') return applyCheckout(ctx, found.checkout);
  if (found.kind === 'none') {
    const end = { state: 'failed', detail: 'the provider does not know it', now: ctx.clock.now() };
    await queries.closeDeposit(ctx.db, deposit, { ...end, state: 'failed' });
  }
  ctx.log.warn(
    { workspaceId, depositId, checkoutId, found: found.kind },
    'deposit was not looked up',
  );
}
