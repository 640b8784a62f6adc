// What the carrier's answer to our one request makes of the attempt.
import type { CallRef } from '../calls/call-desk.ts';
import type { PlaceCallResult } from '../calls/carrier.ts';
import type { Context } from '../context.ts';
import { bindCarrierCall, markUnknown } from './attempt-queries.ts';
import { finishAttempt, type AttemptEnding } from './finish-attempt.ts';
import { reconcileAttempt } from './reconcile-attempt.ts';

export async function applyPlaceResult(ctx: Context, call: CallRef, result: PlaceCallResult) {
  switch (result.kind) {
    case 'placed':
      if (!(await bindCarrierCall(ctx.db, call, result.carrierCallId, ctx.clock.now())))
        // The attempt is over: its call was answered too late, and nobody would talk on this line.
        await ctx.carrier.endCall(result.carrierCallId);
      return;
    case 'refused':
      ctx.log.warn(
        { attemptId: call.attemptId, code: result.code },
        'the carrier refused the call',
      );
      await finishAttempt(ctx, call, () => refusedEnding(result.why === 'invalid_number'));
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

function refusedEnding(invalidNumber: boolean): AttemptEnding {
  return {
    outcome: { kind: invalidNumber ? 'invalid_number' : 'not_placed' },
    answeredBy: null,
    talk: null,
    report: null,
  };
}
