// The desk that a live call turns to, over the tables and the carrier.
import { bookSlot } from '../appointments/book-slot.ts';
import { offerSlots } from '../appointments/offer-slots.ts';
import type { AnsweredBy, CallDesk } from '../calls/call-desk.ts';
import { callLimits } from '../calls/call-limits.ts';
import { readMediaToken } from '../calls/media-token.ts';
import type { Context } from '../context.ts';
import { actOnOptOut } from '../do-not-contact/act-on-opt-out.ts';
import { suppressCalledNumber } from '../do-not-contact/do-not-contact-queries.ts';
import { admitCall } from './admit-call.ts';
import { extendHold, keepTurn, markAnswered, markGatewaySeen } from './attempt-queries.ts';
import { keepRawRecording } from '../recordings/recording-queries.ts';
import { reportCall } from './report-call.ts';

/** `listen` hands over what the carrier callbacks publish about machine detection. */
export async function createCallDesk(ctx: Context): Promise<CallDesk & AsyncDisposable> {
  const verdicts = await subscribeToVerdicts(ctx);
  return {
    checkToken: (token) => {
      const check = readMediaToken(ctx.appSecret, token, ctx.clock.now());
      return check.kind;
    },
    admit: (token, carrierCallId) => admitCall(ctx, token, carrierCallId),
    personAnswered: (call, answeredAt) => markAnswered(ctx.db, call, answeredAt, ctx.clock.now()),
    keepTurn: (call, turn) => keepTurn(ctx.db, call, turn, ctx.clock.now()),
    keepAlive: (call) => markGatewaySeen(ctx.db, call, ctx.clock.now(), watchdogTime(ctx)),
    extendHold: async (call) => ((await extendHold(ctx.db, call)) ? 'extended' : 'insufficient'),
    optOut: async (call, why, quote) => {
      const source = why === 'wrong_number' ? 'wrong_number' : 'said';
      const phone = await suppressCalledNumber(ctx.db, call, { source, quote }, ctx.clock.now());
      if (phone) await actOnOptOut(ctx, call.workspaceId, [phone]);
    },
    freeSlots: (call, count) => offerSlots(ctx, call, count),
    book: (call, slot) => bookSlot(ctx, call, slot),
    onAnsweredBy: (call, listener) => verdicts.listen(call.attemptId, listener),
    hangUp: async (_call, carrierCallId) => {
      const ended = await ctx.carrier.endCall(carrierCallId);
      ctx.log.debug({ ended }, 'call hung up at the carrier');
    },
    keepRecording: async (call, rawPath, durationMs) => {
      await keepRawRecording(ctx.db, call, { rawPath, durationMs, now: ctx.clock.now() });
    },
    finish: (call, report) => reportCall(ctx, call, report),
    [Symbol.asyncDispose]: () => verdicts.close(),
  };
}

/** Past this time without a sign of life the call counts as lost. */
export function watchdogTime(ctx: Context): Date {
  return new Date(ctx.clock.now().getTime() + callLimits.gatewayLeaseSeconds * 1000);
}

async function subscribeToVerdicts(ctx: Context) {
  const listeners = new Map<string, (answeredBy: AnsweredBy) => void>();
  const subscription = await ctx.db.listen('answered_by', (payload) => {
    const { attemptId, answeredBy } = JSON.parse(payload) as {
      attemptId: string;
      answeredBy: AnsweredBy;
    };
    listeners.get(attemptId)?.(answeredBy);
  });
  return {
    listen(attemptId: string, listener: (answeredBy: AnsweredBy) => void) {
      listeners.set(attemptId, listener);
      return () => void listeners.delete(attemptId);
    },
    close: () => subscription.unlisten(),
  };
}
