// At dial time: wait, fail with a reason, simulate, or ring. Intent is committed before the act.
import { newId } from '../../platform/ids.ts';
import type { CallRef } from '../calls/call-desk.ts';
import { dialCapOf } from '../calling-hours/dial-cap.ts';
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import type { BeginDialAnswer } from '../attempts/attempt-queries.ts';
import { findDialFile, type DialFile } from './dial-file-queries.ts';
import { failAtDial, moveAtDial } from './move-at-dial.ts';
import type { Order } from '../orders/order.ts';
import { isFinal } from '../orders/order.ts';
import { passDialGates } from './pass-dial-gates.ts';
import { ringPhone } from './ring-phone.ts';
import { answersWithVoicemail, simulation } from '../attempts/simulated-outcome.ts';
import { startDial } from './start-dial.ts';

/** Safe to run twice: the second run finds that the order has moved. */
export async function dialOrder(ctx: Context, ref: { workspaceId: string; orderId: string }) {
  const now = ctx.clock.now();
  const file = await findDialFile(ctx.db, ref, { carrier: ctx.carrier.name, now });
  if (!file || isFinal(file.order) || !file.order.nextDialAt || file.order.nextDialAt > now) return;
  // First of all, so that an opt-out ends the order at once, whatever it waited for.
  if (file.optedOut) {
    await failAtDial(ctx, file, 'do_not_contact');
    return;
  }
  if (file.order.status === 'VOICEMAIL_SMS_SENT') {
    await becomeRetryScheduled(ctx, file);
    return;
  }
  const prices = await passDialGates(ctx, file, now);
  if (!prices) return;
  const call: CallRef = { ...ref, attemptId: newId('att', now) };
  const cap = dialCapOf(file.order.phone);
  const answer = await startDial(ctx, file, {
    attemptId: call.attemptId,
    now,
    watchAt: new Date(now.getTime() + watchAfterMs(ctx, file.order)),
    minutePriceMicros: prices.minuteMicros,
    textPriceMicros: prices.textMicros,
    dialsMax: cap.count,
    dialsWithinHours: cap.periodHours,
  });
  if (answer.outcome !== 'dialing') await stayUndialled(ctx, file, answer);
  else if (!file.order.simulated) await ringPhone(ctx, file, call, { ...answer, begunAt: now });
  else ctx.wakeJobs(new Date(ctx.clock.now().getTime() + watchAfterMs(ctx, file.order)));
}

type NotDialling = Exclude<BeginDialAnswer, { outcome: 'dialing' }>;

async function stayUndialled(ctx: Context, file: DialFile, answer: NotDialling) {
  switch (answer.outcome) {
    case 'lost':
      return;
    case 'agent_inactive':
    case 'do_not_contact':
    case 'no_caller_id':
      await failAtDial(ctx, file, answer.outcome);
      return;
    case 'waiting_for_balance':
    case 'plan_inactive':
    case 'plan_past_due':
      await waitForMoney(ctx, file, answer.outcome);
      return;
    case 'live_call_limit':
    case 'number_in_call':
      // It waits already; the end of a call wakes it.
      return;
    case 'daily_cap':
    case 'caller_numbers_resting':
      await moveAtDial(ctx, file, 'waits', {
        reason: answer.outcome,
        nextDialAt: new Date(answer.opens_at),
      });
      return;
    case 'carrier_paused':
    case 'carrier_busy':
      // Its claim is given up: it is still due, and claimed again when the carrier takes calls.
      ctx.wakeJobs(new Date(answer.opens_at));
      return;
  }
}

/** Told when it begins; an equal event for the same attempt is dropped by the identical-event rule. */
async function waitForMoney(
  ctx: Context,
  file: DialFile,
  reason: 'waiting_for_balance' | 'plan_inactive' | 'plan_past_due',
) {
  const nextDialAt = new Date(ctx.clock.now().getTime() + callLimits.moneyWaitSeconds * 1000);
  const on = file.order.reason === reason ? 'waits' : 'waits_for_money';
  await moveAtDial(ctx, file, on, { reason, nextDialAt });
}

/** The retry interval after a voicemail text has ended: the update goes out, and the dial is due. */
async function becomeRetryScheduled(ctx: Context, file: DialFile) {
  await moveAtDial(ctx, file, 'interval_ended', { nextDialAt: ctx.clock.now() });
}

/** When the watchdog looks: ring time and grace for a real call, the next scripted step for a simulated one. */
function watchAfterMs(ctx: Context, order: Order): number {
  if (!order.simulated) return (callLimits.ringTimeoutSeconds + callLimits.ringGraceSeconds) * 1000;
  const rest = answersWithVoicemail(order.phone, order.attemptNumber + 1)
    ? simulation.voicemailSeconds
    : 0;
  return ((simulation.ringSeconds + rest) * 1000) / ctx.settings.simulationSpeed;
}
