// The one act that cannot be taken back; its attempt row and hold stand already.
import type { CallRef } from '../calls/call-desk.ts';
import { callLimits } from '../calls/call-limits.ts';
import { createMediaToken } from '../calls/media-token.ts';
import type { Context } from '../context.ts';
import { applyPlaceResult } from './apply-place-result.ts';
import type { BeginDialAnswer } from '../attempts/attempt-queries.ts';
import { endForOptOut, stopForOptOut } from './opt-out-at-dial.ts';
import type { DialFile } from './dial-file-queries.ts';

/** What the dial was begun with: the caller number, and when the carrier may be asked. */
export type BegunDial = Extract<BeginDialAnswer, { outcome: 'dialing' }> & {
  readonly begunAt: Date;
};

export async function ringPhone(
  ctx: Context,
  { order, agent }: DialFile,
  call: CallRef,
  begun: BegunDial,
) {
  // The carrier's pace: booked, and at most a second ahead.
  const waitMs = begun.call_at ? Date.parse(begun.call_at) - ctx.clock.now().getTime() : 0;
  if (waitMs > 0) await ctx.clock.sleep(waitMs);
  const now = ctx.clock.now();
  if (now.getTime() - begun.begunAt.getTime() > callLimits.askWithinSeconds * 1000) {
    // This process stood still meanwhile; the watchdog may have given the order to another.
    await applyPlaceResult(ctx, call, {
      kind: 'refused',
      why: 'carrier_fault',
      code: 'not_asked_in_time',
    });
    return;
  }
  const expiresAt = new Date(now.getTime() + callLimits.mediaTokenSeconds * 1000);
  const token = createMediaToken(ctx.appSecret, call, expiresAt);
  const { name } = ctx.carrier;
  const callbacks = `${ctx.settings.publicUrl}/carriers/${name}/${call.workspaceId}/${call.orderId}/${call.attemptId}`;
  if (await stopForOptOut(ctx, order, call)) return;
  const result = await ctx.carrier.placeCall({
    attemptId: call.attemptId,
    workspaceId: call.workspaceId,
    to: order.phone,
    from: begun.caller_number ?? '',
    ringTimeoutSeconds: callLimits.ringTimeoutSeconds,
    timeLimitSeconds: agent.maxCallSeconds + callLimits.carrierTimeLimitExtraSeconds,
    mediaUrl: `${ctx.settings.gatewayPublicUrl}/media/${name}/${token}`,
    statusCallbackUrl: `${callbacks}/call`,
    machineDetectionCallbackUrl: `${callbacks}/machine`,
  });
  await applyPlaceResult(ctx, call, result);
  await endForOptOut(ctx, order);
}
