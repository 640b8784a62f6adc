// The watchdog of live attempts: when nobody told how a call ended, the carrier is asked.
import type { AgentConfig } from '../agents/agent-config.ts';
import { closeBooking } from '../appointments/appointment-queries.ts';
import type { CallLookup } from '../calls/carrier.ts';
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { bindCarrierCall, findAttempt, watchLater } from './attempt-queries.ts';
import { findPause } from '../dialling/carrier-account-queries.ts';
import { endSimulatedStep } from './end-simulated-step.ts';
import { finishAttempt } from './finish-attempt.ts';
import { outcomeWithoutMedia, reportOfLostCall } from './lost-call.ts';
import { isLive, type Attempt } from '../orders/order.ts';
import { notePlacedCall } from '../dialling/note-carrier-answer.ts';
import { findOrderFile } from '../orders/order-queries.ts';
import { endingFromReport } from './report-call.ts';

/** `early` looks without concluding that a call which is not listed yet was never placed. */
export async function reconcileAttempt(
  ctx: Context,
  ref: { workspaceId: string; attemptId: string },
  when: 'early' | 'due',
) {
  const attempt = await findAttempt(ctx.db, ref.workspaceId, ref.attemptId);
  if (!attempt || !isLive(attempt)) return;
  if (attempt.test) {
    await endSimulatedStep(ctx, attempt);
    return;
  }
  const lookup = await ctx.carrier.findCall({
    attemptId: attempt.id,
    carrierCallId: attempt.carrierCallId,
    to: attempt.phone,
    from: attempt.callerNumber ?? '',
    placedAfter: attempt.createdAt,
  });
  ctx.log.info({ attemptId: attempt.id, found: lookup.kind }, 'call looked up at the carrier');
  const call = {
    workspaceId: attempt.workspaceId,
    orderId: attempt.orderId,
    attemptId: attempt.id,
  };
  if (lookup.kind === 'found' && lookup.carrierCallId !== null) {
    // One whose fate was unknown was placed after all: the carrier works.
    if (attempt.state === 'unknown') await notePlacedCall(ctx, call, lookup.carrierCallId);
    else await bindCarrierCall(ctx.db, call, lookup.carrierCallId, ctx.clock.now());
  }
  if (when === 'due') await conclude(ctx, attempt, lookup);
}

async function conclude(ctx: Context, asked: Attempt, lookup: CallLookup) {
  const { workspaceId, orderId, id: attemptId } = asked;
  // A gateway may have come, or shown that it lives, while the carrier was asked.
  const file = await findOrderFile(ctx.db, workspaceId, orderId);
  const attempt = file?.attempts.find(({ id }) => id === attemptId);
  if (!file || !attempt || !isLive(attempt)) return;
  const now = ctx.clock.now();
  const lookAgain = async (at: Date) => {
    await watchLater(ctx.db, workspaceId, attemptId, at);
    ctx.wakeJobs(at);
  };
  const heldUntil = heldByGatewayUntil(attempt);
  if (heldUntil > now) return lookAgain(heldUntil);
  const patient = now < lineIsDownAt(attempt, file.agent);
  if (patient && !(await lineIsDown(ctx, lookup)))
    return lookAgain(new Date(now.getTime() + callLimits.lookAgainSeconds * 1000));
  const call = { workspaceId, orderId, attemptId };
  const booking = await closeBooking(ctx.db, call, now);
  const carrierPausedUntil = await findPause(ctx.db, ctx.carrier.name);
  await finishAttempt(ctx, call, (known, current) => {
    if (heldByGatewayUntil(current) > now) return null;
    if (current.gatewaySeenAt)
      return endingFromReport(known.agent, { ...reportOfLostCall(known, current), booking });
    const outcome = outcomeWithoutMedia(lookup, current, carrierPausedUntil);
    return { outcome, answeredBy: null, talk: null, report: null };
  });
}

/** When even the carrier's own time limit has ended whatever call there was. */
function lineIsDownAt(attempt: Attempt, agent: AgentConfig): Date {
  const { ringTimeoutSeconds, ringGraceSeconds, carrierTimeLimitExtraSeconds } = callLimits;
  const seconds =
    ringTimeoutSeconds + ringGraceSeconds + agent.maxCallSeconds + carrierTimeLimitExtraSeconds;
  return new Date(attempt.createdAt.getTime() + seconds * 1000);
}

/** Nobody is left to talk on a line that is still up, so it is hung up; what rings is let ring out. */
async function lineIsDown(ctx: Context, lookup: CallLookup): Promise<boolean> {
  if (lookup.kind !== 'found') return lookup.kind === 'none';
  if (lookup.state === 'queued' || lookup.state === 'ringing') return false;
  if (lookup.state !== 'in_progress') return true;
  if (lookup.carrierCallId === null) return false;
  return (await ctx.carrier.endCall(lookup.carrierCallId)) !== 'unreachable';
}

/** Once the carrier has ended the call, a gateway that still shows life is writing its report. */
function heldByGatewayUntil(attempt: Attempt): Date {
  const ended = attempt.carrierState === 'completed';
  const { gatewayReportSilenceSeconds, gatewayLeaseSeconds } = callLimits;
  const silenceMs = (ended ? gatewayReportSilenceSeconds : gatewayLeaseSeconds) * 1000;
  return new Date((attempt.gatewaySeenAt?.getTime() ?? 0) + silenceMs);
}
