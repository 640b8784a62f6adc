// A verified carrier callback: applied once, only forward, in any order.
import type { CallRef } from '../calls/call-desk.ts';
import type { CallEvent } from '../calls/carrier.ts';
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import {
  applyCarrierState,
  applyMachineDetection,
  findAttempt,
  watchSooner,
} from './attempt-queries.ts';
import { finishAttempt } from './finish-attempt.ts';
import { isLive } from '../orders/order.ts';

export async function applyCarrierEvent(ctx: Context, call: CallRef, event: CallEvent) {
  if (event.kind === 'machine_detection') {
    await applyMachineDetection(ctx.db, { ...call, answeredBy: event.answeredBy });
    return;
  }
  if (event.kind === 'media_ended') {
    await endWithoutMedia(ctx, call, event.carrierCallId);
    return;
  }
  const attempt = await applyCarrierState(ctx.db, { ...call, ...event, now: ctx.clock.now() });
  if (!attempt) return;
  switch (event.state) {
    case 'queued':
    case 'ringing':
    case 'in_progress':
      return;
    case 'busy':
      await endUnanswered(ctx, call, 'busy');
      return;
    case 'no_answer':
      await endUnanswered(ctx, call, 'no_answer');
      return;
    case 'canceled':
      await endUnanswered(ctx, call, 'declined');
      return;
    case 'failed':
      await endUnanswered(ctx, call, 'invalid_number');
      return;
    case 'completed': {
      // The gateway reports the talk itself; if it died, the watchdog closes the books after the grace.
      const graceMs = callLimits.gatewayReportGraceSeconds * 1000;
      const at = new Date(ctx.clock.now().getTime() + graceMs);
      await watchSooner(ctx.db, call.workspaceId, call.attemptId, at);
      ctx.wakeJobs(at);
    }
  }
}

async function endUnanswered(
  ctx: Context,
  call: CallRef,
  kind: 'busy' | 'no_answer' | 'declined' | 'invalid_number',
) {
  await finishAttempt(ctx, call, (_file, attempt) =>
    // A call whose media reached the gateway was answered; its own report says how it went.
    attempt.gatewaySeenAt
      ? null
      : { outcome: { kind }, answeredBy: null, talk: null, report: null },
  );
}

/** Nobody can talk on this line any more; where the carrier keeps it up all the same, it is ended. */
async function endWithoutMedia(ctx: Context, call: CallRef, carrierCallId: string) {
  const attempt = await findAttempt(ctx.db, call.workspaceId, call.attemptId);
  if (!attempt || !isLive(attempt) || attempt.carrierState === 'completed') return;
  if (attempt.carrierCallId !== null && attempt.carrierCallId !== carrierCallId) return;
  const ended = await ctx.carrier.endCall(carrierCallId);
  ctx.log.info({ attemptId: call.attemptId, ended }, 'call without media ended');
}
