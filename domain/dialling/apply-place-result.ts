// What the carrier's answer to our one request makes of the attempt.
import type { CallRef } from '../calls/call-desk.ts';
import type { PlaceCallResult } from '../calls/carrier.ts';
import type { Context } from '../context.ts';
import { actOnOptOut } from '../do-not-contact/act-on-opt-out.ts';
import { suppressCalledNumber } from '../do-not-contact/do-not-contact-queries.ts';
import { markUnknown } from '../attempts/attempt-queries.ts';
import { noteCarrierFault, notePlacedCall } from './note-carrier-answer.ts';
import { finishAttempt, type AttemptEnding } from '../attempts/finish-attempt.ts';
import { reconcileAttempt } from '../attempts/reconcile-attempt.ts';

export async function applyPlaceResult(ctx: Context, call: CallRef, result: PlaceCallResult) {
  switch (result.kind) {
    case 'placed':
      if (!(await notePlacedCall(ctx, call, result.carrierCallId)))
        // The attempt is over: its call was answered too late, and nobody would talk on this line.
        await ctx.carrier.endCall(result.carrierCallId);
      return;
    case 'refused': {
      const carrierPausedUntil = isCarrierFault(result) ? await noteCarrierFault(ctx) : null;
      ctx.log.warn(
        { attemptId: call.attemptId, code: result.code },
        'the carrier refused the call',
      );
      // The list first: a crash in between must not lose what the carrier knew.
      if (result.why === 'do_not_contact') await suppressRefused(ctx, call);
      await finishAttempt(ctx, call, () => refusedEnding(result.why, carrierPausedUntil));
      return;
    }
    case 'unknown':
      ctx.log.warn(
        { attemptId: call.attemptId, detail: result.detail },
        'the carrier did not say whether it rings',
      );
      await markUnknown(ctx.db, call);
      await noteCarrierFault(ctx);
      // It may be ringing: looked up now, and again by the watchdog; never placed a second time.
      await reconcileAttempt(
        ctx,
        { workspaceId: call.workspaceId, attemptId: call.attemptId },
        'early',
      );
      return;
  }
}

async function suppressRefused(ctx: Context, call: CallRef) {
  const phone = await suppressCalledNumber(
    ctx.db,
    call,
    { source: 'carrier', quote: null },
    ctx.clock.now(),
  );
  if (phone) await actOnOptOut(ctx, call.workspaceId, [phone]);
}

type Refusal = Extract<PlaceCallResult, { kind: 'refused' }>;

/** Other refusals are about the number that was called. */
function isCarrierFault({ why }: Refusal): boolean {
  return why === 'carrier_fault' || why === 'too_many_requests';
}

function refusedEnding(why: Refusal['why'], carrierPausedUntil: Date | null): AttemptEnding {
  return {
    outcome:
      why === 'invalid_number' || why === 'do_not_contact'
        ? { kind: why }
        : { kind: 'not_placed', carrierPausedUntil },
    answeredBy: null,
    talk: null,
    report: null,
  };
}
