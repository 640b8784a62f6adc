// What a provider tells of a checkout, by its event or when asked, becomes money in the wallet once.
import type { Context } from '../context.ts';
import { moneyCame } from './deposit-credit.ts';
import * as queries from './deposit-queries.ts';
import type { Checkout } from './payments.ts';
import { microsPerCent } from './pricing.ts';

/** The one currency of wallets. */
const currency = 'usd';

/** Safe in any order and number: paid is final, and credited with what the provider says was taken. */
export async function applyCheckout(ctx: Context, checkout: Checkout): Promise<void> {
  const { workspaceId, depositId, checkoutId, state } = checkout;
  if (!workspaceId || !depositId) return;
  const deposit = { workspaceId, depositId };
  if (state === 'paid') return applyPaid(ctx, deposit, checkout);
  if (state !== 'expired' && state !== 'failed') return;
  const end = { state, detail: null, now: ctx.clock.now() };
  if (await queries.closeDeposit(ctx.db, deposit, end))
    ctx.log.info({ ...deposit, checkoutId, state }, 'deposit was not paid');
}

async function applyPaid(ctx: Context, deposit: queries.DepositRef, checkout: Checkout) {
  const { checkoutId, amountCents } = checkout;
  const fields = { ...deposit, checkoutId, amountCents, currency: checkout.currency };
  const now = ctx.clock.now();
  if (checkout.currency !== currency || !Number.isSafeInteger(amountCents) || amountCents <= 0) {
    const detail = `paid ${amountCents} in ${checkout.currency}`;
    ctx.log.error(fields, 'a deposit was paid in a way that cannot be credited');
    await queries.closeDeposit(ctx.db, deposit, { state: 'disputed', detail, now });
    return;
  }
  const paid = { checkoutId, paidMicros: amountCents * microsPerCent, now };
  const answer = await queries.settleDeposit(ctx.db, deposit, paid);
  if (answer === 'unknown' || answer === 'other_checkout')
    ctx.log.error({ ...fields, answer }, 'a payment came for a deposit that does not expect it');
  if (answer !== 'settled') return;
  ctx.log.info(fields, 'deposit was paid');
  await moneyCame(ctx, deposit.workspaceId);
}
