// The watchdog of live attempts: when nobody told how a call ended, the carrier is asked.
import type { CallLookup } from '../calls/carrier.ts';
import type { CallReport } from '../calls/call-report.ts';
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { bindCarrierCall, findAttempt, watchLater } from './attempt-queries.ts';
import type { AttemptOutcome } from './after-attempt.ts';
import { endSimulatedStep } from './end-simulated-step.ts';
import { finishAttempt } from './finish-attempt.ts';
import type { Attempt } from './order.ts';
import { isLive } from './order.ts';
import type { OrderFile } from './order-queries.ts';
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
  if (lookup.kind === 'found' && lookup.carrierCallId !== null)
    await bindCarrierCall(ctx.db, call, lookup.carrierCallId, ctx.clock.now());
  if (when === 'due') await conclude(ctx, attempt, lookup);
}

async function conclude(ctx: Context, attempt: Attempt, lookup: CallLookup) {
  const call = {
    workspaceId: attempt.workspaceId,
    orderId: attempt.orderId,
    attemptId: attempt.id,
  };
  const now = ctx.clock.now();
  const lookAgainAt = new Date(now.getTime() + callLimits.lookAgainSeconds * 1000);
  const ageMs = now.getTime() - attempt.createdAt.getTime();
  const patient = ageMs < callLimits.unknownCallSeconds * 1000;
  if (lookup.kind === 'unreachable' && patient) {
    await watchLater(ctx.db, attempt.workspaceId, attempt.id, lookAgainAt);
    return;
  }
  if (
    lookup.kind === 'found' &&
    (lookup.state === 'queued' || lookup.state === 'ringing') &&
    patient
  ) {
    await watchLater(ctx.db, attempt.workspaceId, attempt.id, lookAgainAt);
    return;
  }
  // The gateway is gone or never came; nobody is left to talk on this line.
  if (lookup.kind === 'found' && lookup.carrierCallId !== null && isStillUp(lookup.state))
    await ctx.carrier.endCall(lookup.carrierCallId);
  await finishAttempt(ctx, call, (file, current) => {
    if (heldByGateway(current, now)) return null;
    if (current.gatewaySeenAt) return endingFromReport(file.agent, reportOfLostCall(file, current));
    return { outcome: outcomeWithoutMedia(lookup), answeredBy: null, talk: null, report: null };
  });
}

function heldByGateway(attempt: Attempt, now: Date): boolean {
  const silenceMs = callLimits.gatewayLeaseSeconds * 1000;
  const ended = attempt.carrierState === 'completed';
  return (
    !ended && !!attempt.gatewaySeenAt && now.getTime() - attempt.gatewaySeenAt.getTime() < silenceMs
  );
}

function isStillUp(state: string): boolean {
  return state === 'queued' || state === 'ringing' || state === 'in_progress';
}

function outcomeWithoutMedia(lookup: CallLookup): AttemptOutcome {
  if (lookup.kind === 'none') return { kind: 'not_placed' };
  if (lookup.kind === 'unreachable') return { kind: 'no_answer' };
  switch (lookup.state) {
    case 'busy':
      return { kind: 'busy' };
    case 'failed':
      return { kind: 'invalid_number' };
    case 'canceled':
      return { kind: 'declined' };
    case 'queued':
    case 'ringing':
    case 'in_progress':
    case 'completed':
    case 'no_answer':
      return { kind: 'no_answer' };
  }
}

/** A call whose gateway died: billed to the last heard word, undecided, by our own fault. */
function reportOfLostCall(file: OrderFile, attempt: Attempt): CallReport {
  const talkEndedAt = attempt.lastHeardAt ?? attempt.talkStartedAt;
  return {
    answeredBy: attempt.talkStartedAt ? 'person' : 'nobody',
    talkStartedAt: attempt.talkStartedAt,
    talkEndedAt: attempt.talkStartedAt && talkEndedAt,
    personSpoke: file.turns.some(({ role }) => role === 'user'),
    endedBy: 'own_fault',
    optedOut: null,
    interest: 'unknown',
    answers: [],
    booking: null,
    askedKeys: [],
    summary: null,
    recordingObjected: false,
    turnLatenciesMs: [],
    brain: 'none',
  };
}
