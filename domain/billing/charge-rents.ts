// Each hour, and when money comes: the rent of every caller number whose next month has begun.
import { limits } from '../../openapi/limits.ts';
import { newId } from '../../platform/ids.ts';
import type { Context } from '../context.ts';
import { billingLimits } from './billing-limits.ts';
import * as queries from './rent-queries.ts';
import { wakeOrders } from './wake-orders.ts';

/**
 * A number pays ahead for each month that begins on its own day, so nothing is prorated; months that began while
 * no process ran are made up for, oldest first. The wallet is never overdrawn: what it cannot pay stays unpaid for
 * the grace, in which calls go on, and then calling pauses until it is paid.
 */
export async function chargeRents(ctx: Context, workspaceId: string | null = null): Promise<void> {
  const terms = {
    priceMicros: limits.pricing.phoneNumberMonthlyMicros,
    graceHours: billingLimits.rentGraceHours,
    now: ctx.clock.now(),
  };
  let after: queries.NumberRef | null = null;
  for (;;) {
    const max = billingLimits.rentBatch;
    const batch: queries.NumberRef[] = await queries.listDueRents(ctx.db, terms, {
      workspaceId,
      after,
      max,
    });
    for (const number of batch) await chargeNumber(ctx, number, terms);
    after = batch.at(-1) ?? null;
    if (batch.length < max) break;
  }
  for (const lifted of await queries.liftRentPauses(ctx.db, workspaceId, terms.now))
    await tellResumed(ctx, lifted.workspaceId);
}

/** Every month that has begun by now. */
async function chargeNumber(ctx: Context, number: queries.NumberRef, terms: queries.RentTerms) {
  for (;;) {
    const transferId = newId('trf', terms.now);
    const answer = await queries.chargeRent(ctx.db, number, transferId, terms);
    if (answer === 'charged') {
      ctx.log.info({ ...number, transferId }, 'rent was charged');
      // Should it have been overdue, the same statement let waiting orders go on.
      ctx.wakeJobs(terms.now);
      continue;
    }
    if (answer === 'unpaid') ctx.log.warn(number, 'rent could not be paid; its grace begins');
    if (answer === 'overdue') ctx.log.warn(number, 'rent stayed unpaid; calling is paused');
    return;
  }
}

async function tellResumed(ctx: Context, workspaceId: string) {
  ctx.log.info({ workspaceId }, 'no rent is overdue any more; calling goes on');
  await wakeOrders(ctx, workspaceId, ['waiting_for_balance']);
}
