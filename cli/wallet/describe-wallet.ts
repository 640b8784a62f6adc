// A wallet as lines of text: balance, plan, rent, and the latest lines of its ledger.
import { findPlanStatus, listLedger } from '../../domain/billing/ledger-queries.ts';
import { microsPerCent } from '../../domain/billing/pricing.ts';
import { listRents } from '../../domain/billing/rent-queries.ts';
import { unknownWorkspace } from '../../domain/billing/transfer-answer.ts';
import type { Context } from '../../domain/context.ts';
import { findWalletState } from '../../domain/workspaces/account-queries.ts';

const latestLines = 20;

/** Throws AppError `not_found`. */
export async function describeWallet(
  ctx: Context,
  workspaceId: string,
  ledgerLines: number = latestLines,
): Promise<string[]> {
  const [wallet, plan, rents, ledger] = await Promise.all([
    findWalletState(ctx.db, workspaceId),
    findPlanStatus(ctx.db, workspaceId),
    listRents(ctx.db, workspaceId),
    listLedger(ctx.db, { workspaceId, max: ledgerLines }),
  ]);
  if (!wallet || !plan) throw unknownWorkspace();
  const { balanceMicros, heldMicros, paused } = wallet;
  return [
    `balance ${dollars(balanceMicros)}, held ${dollars(heldMicros)}, available ` +
      `${dollars(balanceMicros - heldMicros)}, plan ${plan}${paused ? ', calling is paused' : ''}`,
    ...rents.map(
      (rent) =>
        `rent of ${rent.numberId} paid until ${rent.paidUntil.toISOString()}` +
        (rent.unpaidSince ? `, unpaid since ${rent.unpaidSince.toISOString()}` : '') +
        (rent.overdue ? ', overdue' : ''),
    ),
    ...ledger.map((line) =>
      [
        line.createdAt.toISOString(),
        line.kind,
        dollars(line.amountMicros),
        line.orderId ?? '',
        line.note ? `${line.note} (${line.madeBy})` : '',
      ]
        .filter(Boolean)
        .join('  '),
    ),
  ];
}

/** Texts cost tenths of cents, so cents alone would hide them. */
function dollars(micros: number): string {
  const sign = micros < 0 ? '-' : '';
  return `${sign}$${(Math.abs(micros) / (100 * microsPerCent)).toFixed(4).replace(/00$/, '')}`;
}
