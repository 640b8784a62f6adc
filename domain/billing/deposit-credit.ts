// An operator puts credit into a wallet: the way money comes in where no payment provider is configured.
import { limits } from '../../openapi/limits.ts';
import { newId } from '../../platform/ids.ts';
import type { Context } from '../context.ts';
import { belowFirstMinimum, depositMicros } from './amount-cents.ts';
import { chargeRents } from './charge-rents.ts';
import * as queries from './ledger-queries.ts';
import { answerOfTransfer } from './transfer-answer.ts';
import { wakeOrders } from './wake-orders.ts';

export interface Credit {
  readonly workspaceId: string;
  readonly amountCents: number;
  /** The same key is the same deposit; without one every call is its own. */
  readonly key?: string | undefined;
  readonly note: string;
  readonly madeBy: string;
}

/** Throws AppError `invalid_request` naming the field, `not_found`, or `idempotency_key_conflict`. */
export async function depositCredit(ctx: Context, credit: Credit): Promise<'done' | 'repeated'> {
  const now = ctx.clock.now();
  const transferId = newId('trf', now);
  const firstMinimumMicros = limits.wallet.firstDepositMinimumMicros;
  const answer = await queries.depositCredit(
    ctx.db,
    {
      workspaceId: credit.workspaceId,
      transferId,
      key: credit.key ? `credit:${credit.key}` : transferId,
      amountMicros: depositMicros(credit.amountCents),
      note: credit.note,
      madeBy: credit.madeBy,
      now,
    },
    firstMinimumMicros,
  );
  if (answer === 'below_first_minimum') throw belowFirstMinimum(firstMinimumMicros);
  const done = answerOfTransfer(answer);
  ctx.log.info({ workspaceId: credit.workspaceId, transferId, done }, 'credit was deposited');
  await moneyCame(ctx, credit.workspaceId);
  return done;
}

/** What follows money that is in the wallet; the next run of the jobs would do it too. */
export async function moneyCame(ctx: Context, workspaceId: string): Promise<void> {
  await chargeRents(ctx, workspaceId);
  await wakeOrders(ctx, workspaceId, ['waiting_for_balance']);
}
