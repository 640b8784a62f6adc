// Ends what was begun with a number: purchases of unknown outcome are looked up, releases are asked again.
import type { Context } from '../context.ts';
import {
  listUnsettled,
  markNotBought,
  markOwned,
  markReleased,
  type CallerNumber,
  type CallerNumberState,
} from './caller-number-queries.ts';

const limits = {
  /** A purchase that the carrier does not know after this long was never made. */
  purchaseSeconds: 600,
} as const;

export async function settleNumbers(ctx: Context, workspaceId: string): Promise<void> {
  for (const number of await listUnsettled(ctx.db, workspaceId)) await settleNumber(ctx, number);
}

/** The state in which it leaves the number; another carrier than the one it was asked of is not asked. */
export async function settleNumber(ctx: Context, number: CallerNumber): Promise<CallerNumberState> {
  if (number.carrier !== ctx.carrier.name) return number.state;
  if (number.state === 'buying') return settlePurchase(ctx, number);
  return number.state === 'releasing' ? settleRelease(ctx, number) : number.state;
}

async function settlePurchase(ctx: Context, number: CallerNumber): Promise<CallerNumberState> {
  const lookup = await ctx.numbers.findNumber({ phone: number.phone, reference: number.id });
  ctx.log.info({ numberId: number.id, found: lookup.kind }, 'number looked up at the carrier');
  if (lookup.kind === 'owned') {
    await markOwned(ctx.db, number, lookup.carrierNumberId);
    return 'owned';
  }
  const ageMs = ctx.clock.now().getTime() - number.createdAt.getTime();
  // The request may still be on its way; until then nobody may take it for refused.
  if (lookup.kind !== 'none' || ageMs < limits.purchaseSeconds * 1_000) return 'buying';
  await markNotBought(ctx.db, number);
  return 'not_bought';
}

/** The carrier's id names one purchase, so that releasing it twice cannot hit another's number. */
async function settleRelease(ctx: Context, number: CallerNumber): Promise<CallerNumberState> {
  if (number.carrierNumberId === null) return 'releasing';
  const outcome = await ctx.numbers.releaseNumber(number.carrierNumberId);
  ctx.log.info({ numberId: number.id, outcome }, 'number released at the carrier');
  if (outcome === 'unreachable') return 'releasing';
  await markReleased(ctx.db, number, ctx.clock.now());
  return 'released';
}
