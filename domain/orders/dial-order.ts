// At dial time: wait, fail with a reason, simulate, or ring. Intent is committed before the act.
import { newId } from '../../platform/ids.ts';
import { pricesFor } from '../billing/pricing.ts';
import type { CallRef } from '../calls/call-desk.ts';
import { callLimits } from '../calls/call-limits.ts';
import { createMediaToken } from '../calls/media-token.ts';
import type { Context } from '../context.ts';
import type { BeginDialAnswer } from './attempt-queries.ts';
import { beginDial } from './attempt-queries.ts';
import { deliveriesOf } from './finish-attempt.ts';
import type { Order } from './order.ts';
import { isFinal } from './order.ts';
import { unchanged, type OrderMove } from './order-move.ts';
import { findOrderFile, moveOrder, type OrderFile } from './order-queries.ts';
import { applyPlaceResult } from './apply-place-result.ts';
import { answersWithVoicemail, simulation } from './simulated-outcome.ts';

/** Safe to run twice: the second run finds that the order has moved. */
export async function dialOrder(ctx: Context, ref: { workspaceId: string; orderId: string }) {
  const file = await findOrderFile(ctx.db, ref.workspaceId, ref.orderId);
  const now = ctx.clock.now();
  if (!file || isFinal(file.order) || !file.order.nextDialAt || file.order.nextDialAt > now) return;
  if (file.order.status === 'VOICEMAIL_SMS_SENT') {
    await becomeRetryScheduled(ctx, file);
    return;
  }
  const call: CallRef = { ...ref, attemptId: newId('att', now) };
  const prices = pricesFor(0);
  const answer = await beginDial(ctx.db, {
    workspaceId: ref.workspaceId,
    orderId: ref.orderId,
    version: file.order.version,
    attemptId: call.attemptId,
    now,
    watchAt: new Date(now.getTime() + watchAfterMs(ctx, file.order)),
    minutePriceMicros: prices.minuteMicros,
    textPriceMicros: prices.textMicros,
  });
  await carryOut(ctx, file, call, answer);
}

async function carryOut(ctx: Context, file: OrderFile, call: CallRef, answer: BeginDialAnswer) {
  const inSeconds = (seconds: number) => new Date(ctx.clock.now().getTime() + seconds * 1000);
  switch (answer.outcome) {
    case 'lost':
      return;
    case 'dialing':
      if (file.order.simulated) ctx.wakeJobs(inSeconds(watchAfterMs(ctx, file.order) / 1000));
      else await ring(ctx, file, call, answer.caller_number ?? '');
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
      await applyMove(ctx, file, {
        reason: 'live_call_limit',
        nextDialAt: inSeconds(callLimits.slotWaitSeconds),
      });
      return;
    case 'daily_cap':
      await applyMove(ctx, file, { nextDialAt: new Date(answer.opens_at) });
      return;
  }
}

/** The one act that cannot be taken back; its attempt row and hold stand already. */
async function ring(
  ctx: Context,
  { order, agent }: OrderFile,
  call: CallRef,
  callerNumber: string,
) {
  const expiresAt = new Date(ctx.clock.now().getTime() + callLimits.mediaTokenSeconds * 1000);
  const token = createMediaToken(ctx.appSecret, call, expiresAt);
  const { name } = ctx.carrier;
  const callbacks = `${ctx.settings.publicUrl}/carriers/${name}/${call.workspaceId}/${call.orderId}/${call.attemptId}`;
  const result = await ctx.carrier.placeCall({
    attemptId: call.attemptId,
    workspaceId: call.workspaceId,
    to: order.phone,
    from: callerNumber,
    ringTimeoutSeconds: callLimits.ringTimeoutSeconds,
    timeLimitSeconds: agent.maxCallSeconds + callLimits.carrierTimeLimitExtraSeconds,
    mediaUrl: `${ctx.settings.gatewayPublicUrl}/media/${name}/${token}`,
    statusCallbackUrl: `${callbacks}/call`,
    machineDetectionCallbackUrl: `${callbacks}/machine`,
  });
  await applyPlaceResult(ctx, call, result);
}

/** The retry interval after a voicemail text has ended: the update goes out, and the dial is due. */
async function becomeRetryScheduled(ctx: Context, file: OrderFile) {
  const change = { status: 'RETRY_SCHEDULED' as const, nextDialAt: ctx.clock.now() };
  await applyMove(ctx, file, change, 'order.updated');
}

async function applyMove(
  ctx: Context,
  file: OrderFile,
  change: Partial<OrderMove['order']>,
  event: 'order.completed' | 'order.updated' | null = null,
) {
  const now = ctx.clock.now();
  const order = { ...unchanged(file.order), ...change };
  const move: OrderMove = {
    workspaceId: file.order.workspaceId,
    orderId: file.order.id,
    version: file.order.version,
    now,
    order: { ...order, completedAt: order.nextDialAt ? null : now },
    attempt: null,
    texts: [],
    deliveries: deliveriesOf(ctx, file, { ...file.order, ...order }, event, now),
  };
  if (!(await moveOrder(ctx.db, move))) return;
  ctx.log.info(
    { orderId: move.orderId, status: order.status, reason: order.reason },
    'order moved at dial time',
  );
  ctx.wakeJobs(now);
  if (order.nextDialAt) ctx.wakeJobs(order.nextDialAt);
}

/** When the watchdog looks: ring time and grace for a real call, the next scripted step for a simulated one. */
function watchAfterMs(ctx: Context, order: Order): number {
  if (!order.simulated) return (callLimits.ringTimeoutSeconds + callLimits.ringGraceSeconds) * 1000;
  const rest = answersWithVoicemail(order.phone, order.attemptNumber + 1)
    ? simulation.voicemailSeconds
    : 0;
  return ((simulation.ringSeconds + rest) * 1000) / ctx.settings.simulationSpeed;
}
