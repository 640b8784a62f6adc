// What the carrier's answer to our one request makes of the attempt.
import type { CallRef } from '../calls/call-desk.ts';
import type { PlaceCallResult } from '../calls/carrier.ts';
import type { Context } from '../context.ts';
import { actOnOptOut } from '../do-not-contact/act-on-opt-out.ts';
import { suppressCalledNumber } from '../do-not-contact/do-not-contact-queries.ts';
import { bindCarrierCall, markUnknown } from './attempt-queries.ts';
import { noteCarrierAnswer } from './note-carrier-answer.ts';
import { finishAttempt, type AttemptEnding } from './finish-attempt.ts';
import { reconcileAttempt } from './reconcile-attempt.ts';

export async function applyPlaceResult(ctx: Context, call: CallRef, result: PlaceCallResult) {
  switch (result.kind) {
    case 'placed':
      await noteCarrierAnswer(ctx, result);
      if (!(await bindCarrierCall(ctx.db, call, result.carrierCallId, ctx.clock.now())))
        // The attempt is over: its call was answered too late, and nobody would talk on this line.
        await ctx.carrier.endCall(result.carrierCallId);
      return;
    case 'refused': {
      const carrierPausedUntil = await noteCarrierAnswer(ctx, result);
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
      await noteCarrierAnswer(ctx, result);
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
