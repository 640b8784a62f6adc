// A person calls one of the workspace's numbers: an order in progress, or a short answer why not.
import { newId } from '../../platform/ids.ts';
import { pricesFor } from '../billing/pricing.ts';
import { anonymousCaller } from '../calls/caller.ts';
import type { InboundAnswer, InboundCall } from '../calls/carrier.ts';
import { callLimits } from '../calls/call-limits.ts';
import { createMediaToken } from '../calls/media-token.ts';
import type { Context } from '../context.ts';
import { beginInboundCall, type BeginInboundCallAnswer } from './inbound-queries.ts';
import { refusedInboundCall } from './refused-inbound-call.ts';

/** Safe to repeat: the same call gets the same answer and no second order. Never throws. */
export async function takeInboundCall(ctx: Context, call: InboundCall): Promise<InboundAnswer> {
  try {
    return answerTo(ctx, await begin(ctx, call));
  } catch (err) {
    // If the order stands although its answer was lost, the watchdog ends it.
    ctx.log.error({ err, carrierCallId: call.carrierCallId }, 'inbound call could not be taken');
    return refusedInboundCall('unavailable');
  }
}

function begin(ctx: Context, call: InboundCall): Promise<BeginInboundCallAnswer> {
  const now = ctx.clock.now();
  return beginInboundCall(ctx.db, {
    carrierCallId: call.carrierCallId,
    calledNumber: call.calledNumber,
    callerPhone: call.callerNumber ?? anonymousCaller,
    orderId: newId('ord', now),
    attemptId: newId('att', now),
    // Whoever calls agrees to this call, and to no other.
    consent: { opt_in_confirmed: true, consented_at: now.toISOString(), source: 'inbound_call' },
    now,
    watchAt: new Date(now.getTime() + callLimits.inboundMediaSeconds * 1000),
    minutePriceMicros: pricesFor(0).minuteMicros,
  });
}

function answerTo(ctx: Context, answer: BeginInboundCallAnswer): InboundAnswer {
  if (answer.outcome === 'taken' || answer.outcome === 'repeated') return connect(ctx, answer);
  const { workspace_id: workspaceId, outcome: reason } = answer;
  ctx.log.warn({ workspaceId, reason }, 'inbound call was not taken');
  return refusedInboundCall(reason);
}

function connect(
  ctx: Context,
  answer: Extract<BeginInboundCallAnswer, { outcome: 'taken' | 'repeated' }>,
): InboundAnswer {
  const { workspace_id: workspaceId, order_id: orderId, attempt_id: attemptId } = answer;
  const inSeconds = (seconds: number) => new Date(answer.created_ms + seconds * 1000);
  ctx.log.info({ workspaceId, orderId, attemptId, outcome: answer.outcome }, 'inbound call taken');
  ctx.wakeJobs(inSeconds(callLimits.inboundMediaSeconds));
  // Counted from the order, so that a repeat is told the same.
  const expiresAt = inSeconds(callLimits.mediaTokenSeconds);
  const token = createMediaToken(ctx.appSecret, { workspaceId, orderId, attemptId }, expiresAt);
  const mediaUrl = `${ctx.settings.gatewayPublicUrl}/media/${ctx.carrier.name}/${token}`;
  return { kind: 'connect', mediaUrl };
}
