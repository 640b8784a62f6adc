// An operator corrects a wallet, up or down, and says why.
import { newId } from '../../platform/ids.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { microsFromCents } from './amount-cents.ts';
import { moneyCame, type Credit } from './deposit-credit.ts';
import * as queries from './ledger-queries.ts';
import { answerOfTransfer } from './transfer-answer.ts';

/** Throws as a deposit does; also `insufficient_balance` when it would take what is held or not there. */
export async function adjustWallet(ctx: Context, change: Credit): Promise<'done' | 'repeated'> {
  if (!change.note.trim())
    throw new AppError('invalid_request', 'note: an adjustment says why it is made.');
  const now = ctx.clock.now();
  const transferId = newId('trf', now);
  const answer = await queries.adjustWallet(ctx.db, {
    workspaceId: change.workspaceId,
    transferId,
    key: change.key ? `adjustment:${change.key}` : transferId,
    amountMicros: microsFromCents(change.amountCents),
    note: change.note,
    madeBy: change.madeBy,
    now,
  });
  if (answer === 'short')
    throw new AppError(
      'insufficient_balance',
      'amount_cents: the wallet has less than that beside what is held for running calls.',
    );
  const done = answerOfTransfer(answer);
  ctx.log.info({ workspaceId: change.workspaceId, transferId, done }, 'wallet was adjusted');
  if (change.amountCents > 0) await moneyCame(ctx, change.workspaceId);
  return done;
}
