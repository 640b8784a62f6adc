// Ends what was begun with a number: purchases of unknown outcome are looked up, releases are asked again.
import { chargeRents } from '../billing/charge-rents.ts';
import type { Context } from '../context.ts';
import {
  findUnsettled,
  listUnsettled,
  markNotBought,
  markOwned,
  markReleased,
  settleLater,
  type CallerNumber,
  type CallerNumberState,
} from './caller-number-queries.ts';

const limits = {
  /** A purchase that the carrier does not know after this long was never made. */
  purchaseSeconds: 600,
  lookAgainSeconds: 60,
  /** While another carrier than the one it was asked of is in use. */
  otherCarrierSeconds: 3_600,
} as const;

/** When what was begun now is looked after, should its process die or its carrier stay silent. */
export function settleAt(ctx: Context): Date {
  return new Date(ctx.clock.now().getTime() + limits.lookAgainSeconds * 1_000);
}

export async function settleNumbers(ctx: Context, workspaceId: string): Promise<void> {
  for (const number of await listUnsettled(ctx.db, workspaceId)) await settleNumber(ctx, number);
}

/** What fell due: settled, or due again later. Safe to run twice. */
export async function settleDueNumber(
  ctx: Context,
  { workspaceId, numberId: id }: { workspaceId: string; numberId: string },
): Promise<void> {
  const number = await findUnsettled(ctx.db, { workspaceId, id });
  if (!number) return;
  const state = await settleNumber(ctx, number);
  if (state !== number.state) return;
  const isOurs = number.carrier === ctx.carrier.name;
  const seconds = isOurs ? limits.lookAgainSeconds : limits.otherCarrierSeconds;
  const at = new Date(ctx.clock.now().getTime() + seconds * 1_000);
  await settleLater(ctx.db, number, at);
  ctx.wakeJobs(at);
}

/** From now on calls may be made from it; its first month is paid. Should that fail, the next hour makes up for it. */
export async function ownNumber(ctx: Context, number: CallerNumber, carrierNumberId: string) {
  await markOwned(ctx.db, number, carrierNumberId);
  await chargeRents(ctx, number.workspaceId);
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
    await ownNumber(ctx, number, lookup.carrierNumberId);
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
