// What the carrier's answer to our one request makes of the attempt.
import type { CallRef } from '../calls/call-desk.ts';
import type { PlaceCallResult } from '../calls/carrier.ts';
import type { Context } from '../context.ts';
import { actOnOptOut } from '../do-not-contact/act-on-opt-out.ts';
import { suppressCalledNumber } from '../do-not-contact/do-not-contact-queries.ts';
import { bindCarrierCall, markUnknown } from './attempt-queries.ts';
import { finishAttempt, type AttemptEnding } from './finish-attempt.ts';
import { reconcileAttempt } from './reconcile-attempt.ts';

export async function applyPlaceResult(ctx: Context, call: CallRef, result: PlaceCallResult) {
  switch (result.kind) {
    case 'placed':
      await bindCarrierCall(ctx.db, call, result.carrierCallId, ctx.clock.now());
      return;
    case 'refused':
      ctx.log.warn(
        { attemptId: call.attemptId, code: result.code },
        'the carrier refused the call',
      );
      // The list first: a crash in between must not lose what the carrier knew.
      if (result.why === 'do_not_contact') await suppressRefused(ctx, call);
      await finishAttempt(ctx, call, () => refusedEnding(result.why));
      return;
    case 'unknown':
      ctx.log.warn(
        { attemptId: call.attemptId, detail: result.detail },
        'the carrier did not say whether it rings',
      );
      await markUnknown(ctx.db, call);
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

type Refusal = Extract<PlaceCallResult, { kind: 'refused' }>['why'];

function refusedEnding(why: Refusal): AttemptEnding {
  const kind = why === 'invalid_number' || why === 'do_not_contact' ? why : 'not_placed';
  return {
    outcome: { kind },
    answeredBy: null,
    talk: null,
    report: null,
  };
}
