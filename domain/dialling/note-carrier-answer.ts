// What the carrier's answers say of its account as a whole: faults in a row pause all dials, any call ends the pause.
import type { CallRef } from '../calls/call-desk.ts';
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { keepPlacedCall, noteFault } from './carrier-account-queries.ts';

/**
 * The carrier took this call, so it works; what waited for it is due already. False when the attempt is over, or has
 * another call.
 */
export async function notePlacedCall(
  ctx: Context,
  call: CallRef,
  carrierCallId: string,
): Promise<boolean> {
  const now = ctx.clock.now();
  const account = ctx.carrier.name;
  const placed = { account, carrierCallId, now };
  const { bound, recovered } = await keepPlacedCall(ctx.db, call, placed);
  if (recovered) ctx.wakeJobs(now);
  return bound;
}

/** Answers until when dials are paused, or null; then a fault is the one dial's own. */
export async function noteCarrierFault(ctx: Context): Promise<Date | null> {
  const { name } = ctx.carrier;
  const rules = {
    faultsToPause: callLimits.carrierFaultsToPause,
    pauseSeconds: callLimits.carrierPauseSeconds,
    pauseMaxSeconds: callLimits.carrierPauseMaxSeconds,
  };
  const pausedUntil = await noteFault(ctx.db, name, rules, ctx.clock.now());
  if (pausedUntil) {
    ctx.log.warn({ carrier: name, pausedUntil }, 'dials are paused: the carrier keeps failing');
    ctx.wakeJobs(pausedUntil);
  }
  return pausedUntil;
}
