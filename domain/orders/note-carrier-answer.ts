// What the carrier's answers say of its account as a whole: faults in a row pause all dials, any call ends the pause.
import type { PlaceCallResult } from '../calls/carrier.ts';
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { forgetFaults, noteFault } from './carrier-account-queries.ts';

/** Answers until when dials are paused, or null; then a fault is the one dial's own. */
export async function noteCarrierAnswer(
  ctx: Context,
  result: PlaceCallResult,
): Promise<Date | null> {
  const { name } = ctx.carrier;
  const now = ctx.clock.now();
  if (!isFault(result)) {
    // What waited for the carrier is due already.
    if (await forgetFaults(ctx.db, name)) ctx.wakeJobs(now);
    return null;
  }
  const rules = {
    faultsToPause: callLimits.carrierFaultsToPause,
    pauseSeconds: callLimits.carrierPauseSeconds,
    pauseMaxSeconds: callLimits.carrierPauseMaxSeconds,
  };
  const pausedUntil = await noteFault(ctx.db, name, rules, now);
  if (pausedUntil) {
    ctx.log.warn({ carrier: name, pausedUntil }, 'dials are paused: the carrier keeps failing');
    ctx.wakeJobs(pausedUntil);
  }
  return pausedUntil;
}

function isFault(result: PlaceCallResult): boolean {
  if (result.kind !== 'refused') return result.kind === 'unknown';
  return result.why === 'carrier_fault' || result.why === 'too_many_requests';
}
