// Opens a page on which a customer pays a deposit. The wallet is credited only when the provider says it was paid.
import { limits } from '../../openapi/limits.ts';
import { newId } from '../../platform/ids.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { belowFirstMinimum, depositMicros } from './amount-cents.ts';
import { billingLimits } from './billing-limits.ts';
import * as queries from './deposit-queries.ts';
import { unknownWorkspace } from './transfer-answer.ts';

export interface StartedDeposit {
  readonly depositId: string;
  /** Where the customer pays. */
  readonly url: string;
}

/** Throws AppError `invalid_request` naming the field, `not_found`, or `unavailable` when no page can be opened. */
export async function startDeposit(
  ctx: Context,
  asked: { workspaceId: string; amountCents: number },
): Promise<StartedDeposit> {
  const { payments } = ctx;
  if (!payments)
    throw new AppError('unavailable', 'No payment provider is configured; set STRIPE_SECRET_KEY.');
  const now = ctx.clock.now();
  const firstMinimumMicros = limits.wallet.firstDepositMinimumMicros;
  const amountMicros = depositMicros(asked.amountCents);
  const deposit = { workspaceId: asked.workspaceId, depositId: newId('dep', now) };
  const intent = { ...deposit, amountMicros, firstMinimumMicros, now };
  const inserted = await queries.insertDeposit(ctx.db, intent);
  if (inserted === 'no_wallet') throw unknownWorkspace();
  if (inserted === 'below_first_minimum') throw belowFirstMinimum(firstMinimumMicros);

  const result = await payments.startCheckout({
    ...deposit,
    amountCents: asked.amountCents,
    returnUrl: `${ctx.settings.publicUrl}/payments/return`,
  });
  if (result.kind !== 'created') {
    // Nobody was told an address to pay at, so a new deposit cannot take the money twice.
    const { kind, detail } = result;
    ctx.log.warn({ ...deposit, kind, detail }, 'the payment provider opened no checkout');
    await queries.closeDeposit(ctx.db, deposit, { state: 'failed', detail, now });
    throw new AppError('unavailable', 'The payment page cannot be opened right now.');
  }
  const { checkoutId, url } = result;
  const nextLookAt = new Date(now.getTime() + billingLimits.lookUpEveryMinutes * 60_000);
  await queries.openDeposit(ctx.db, deposit, { checkoutId, url, nextLookAt });
  ctx.log.info({ ...deposit, checkoutId }, 'deposit was opened');
  return { depositId: deposit.depositId, url };
}
