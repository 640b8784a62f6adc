// At dial time: wait, fail with a reason, simulate, or ring. Intent is committed before the act.
import { limits } from '../../openapi/limits.ts';
import { newId } from '../../platform/ids.ts';
import { pricesFor } from '../billing/pricing.ts';
import type { CallRef } from '../calls/call-desk.ts';
import { callLimits } from '../calls/call-limits.ts';
import { createMediaToken } from '../calls/media-token.ts';
import type { Context } from '../context.ts';
import type { BeginDialAnswer } from './attempt-queries.ts';
import { applyMove } from './move-at-dial-time.ts';
import type { Order } from './order.ts';
import { isFinal } from './order.ts';
import { findDialFile, type DialFile } from './dial-file-queries.ts';
import { applyPlaceResult } from './apply-place-result.ts';
import { answersWithVoicemail, simulation } from './simulated-outcome.ts';
import { startDial } from './start-dial.ts';

/** Safe to run twice: the second run finds that the order has moved. */
export async function dialOrder(ctx: Context, ref: { workspaceId: string; orderId: string }) {
  const now = ctx.clock.now();
  const file = await findDialFile(ctx.db, ref, now);
  if (!file || isFinal(file.order) || !file.order.nextDialAt || file.order.nextDialAt > now) return;
  if (file.order.status === 'VOICEMAIL_SMS_SENT') {
    await becomeRetryScheduled(ctx, file);
    return;
  }
  const call: CallRef = { ...ref, attemptId: newId('att', now) };
  const prices = pricesFor(0);
  const answer = await startDial(ctx, file, {
    attemptId: call.attemptId,
    now,
    watchAt: new Date(now.getTime() + watchAfterMs(ctx, file.order)),
    minutePriceMicros: prices.minuteMicros,
    textPriceMicros: prices.textMicros,
    dialsMax: limits.calls.dialsPerNumberPer24Hours,
    dialsWithinHours: 24,
  });
  await carryOut(ctx, file, call, answer);
}

async function carryOut(ctx: Context, file: DialFile, call: CallRef, answer: BeginDialAnswer) {
  const inSeconds = (seconds: number) => new Date(ctx.clock.now().getTime() + seconds * 1000);
  switch (answer.outcome) {
    case 'lost':
      return;
    case 'dialing':
      if (file.order.simulated) ctx.wakeJobs(inSeconds(watchAfterMs(ctx, file.order) / 1000));
      else await ring(ctx, file, call, answer);
      return;
    case 'agent_inactive':
    case 'do_not_contact':
    case 'no_caller_id':
      await applyMove(
        ctx,
        file,
        { status: 'FAILED', reason: answer.outcome, nextDialAt: null },
        'order.completed',
      );
      return;
    case 'waiting_for_balance':
    case 'plan_inactive':
    case 'plan_past_due':
      // An equal event for the same attempt is dropped by the identical-event rule, so it goes out once.
      await applyMove(
        ctx,
        file,
        { reason: answer.outcome, nextDialAt: inSeconds(callLimits.moneyWaitSeconds) },
        'order.updated',
      );
      return;
    case 'live_call_limit':
    case 'number_in_call':
      // It waits already; the end of a call wakes it.
      return;
    case 'daily_cap':
    case 'caller_numbers_resting':
      await applyMove(ctx, file, { nextDialAt: new Date(answer.opens_at) });
      return;
    case 'carrier_paused':
    case 'carrier_busy':
      // Its claim is given up: it is still due, and claimed again when the carrier takes calls.
      ctx.wakeJobs(new Date(answer.opens_at));
      return;
  }
}

/** The one act that cannot be taken back; its attempt row and hold stand already. */
async function ring(
  ctx: Context,
  { order, agent }: DialFile,
  call: CallRef,
  begun: Extract<BeginDialAnswer, { outcome: 'dialing' }>,
) {
  // The carrier's pace: booked, and at most a second ahead.
  const waitMs = begun.call_at ? Date.parse(begun.call_at) - ctx.clock.now().getTime() : 0;
  if (waitMs > 0) await ctx.clock.sleep(waitMs);
  const expiresAt = new Date(ctx.clock.now().getTime() + callLimits.mediaTokenSeconds * 1000);
  const token = createMediaToken(ctx.appSecret, call, expiresAt);
  const callbacks = `${ctx.settings.publicUrl}/carriers/twilio/${call.workspaceId}/${call.orderId}/${call.attemptId}`;
  const result = await ctx.carrier.placeCall({
    attemptId: call.attemptId,
    workspaceId: call.workspaceId,
    to: order.phone,
    from: begun.caller_number ?? '',
    ringTimeoutSeconds: callLimits.ringTimeoutSeconds,
    timeLimitSeconds: agent.maxCallSeconds + callLimits.carrierTimeLimitExtraSeconds,
    mediaUrl: `${ctx.settings.gatewayPublicUrl}/media/twilio/${token}`,
    statusCallbackUrl: `${callbacks}/call`,
    machineDetectionCallbackUrl: `${callbacks}/machine`,
  });
  await applyPlaceResult(ctx, call, result);
}

/** The retry interval after a voicemail text has ended: the update goes out, and the dial is due. */
async function becomeRetryScheduled(ctx: Context, file: DialFile) {
  const change = { status: 'RETRY_SCHEDULED' as const, nextDialAt: ctx.clock.now() };
  await applyMove(ctx, file, change, 'order.updated');
}

/** When the watchdog looks: ring time and grace for a real call, the next scripted step for a simulated one. */
function watchAfterMs(ctx: Context, order: Order): number {
  if (!order.simulated) return (callLimits.ringTimeoutSeconds + callLimits.ringGraceSeconds) * 1000;
  const rest = answersWithVoicemail(order.phone, order.attemptNumber + 1)
    ? simulation.voicemailSeconds
    : 0;
  return ((simulation.ringSeconds + rest) * 1000) / ctx.settings.simulationSpeed;
}
