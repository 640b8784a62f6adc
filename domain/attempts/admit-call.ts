// A media socket said which call it carries: the one-use token is consumed and bound to that call.
import type { Admission } from '../calls/call-desk.ts';
import { callLimits } from '../calls/call-limits.ts';
import { readMediaToken } from '../calls/media-token.ts';
import type { Context } from '../context.ts';
import { consumeMediaToken, findTokenUse } from './attempt-queries.ts';
import { findOrderFile } from '../orders/order-queries.ts';

export async function admitCall(
  ctx: Context,
  token: string,
  carrierCallId: string,
): Promise<Admission> {
  const now = ctx.clock.now();
  const check = readMediaToken(ctx.appSecret, token, now);
  if (check.kind !== 'good') return { kind: 'refused', reason: check.kind };
  const { workspaceId, orderId, attemptId } = check.call;
  const watchAt = new Date(now.getTime() + callLimits.gatewayLeaseSeconds * 1000);
  const attempt = await consumeMediaToken(
    ctx.db,
    workspaceId,
    attemptId,
    carrierCallId,
    now,
    watchAt,
  );
  if (!attempt) return { kind: 'refused', reason: await refusalOf(ctx, workspaceId, attemptId) };
  const file = await findOrderFile(ctx.db, workspaceId, orderId);
  if (!file) return { kind: 'refused', reason: 'not_live' };
  return {
    kind: 'admitted',
    brief: {
      ...check.call,
      carrierCallId,
      direction: file.order.direction,
      agent: file.agent,
      lead: { firstName: file.order.firstName, customContext: file.order.customContext },
      answeredBy: attempt.answeredBy,
    },
  };
}

async function refusalOf(ctx: Context, workspaceId: string, attemptId: string) {
  const use = await findTokenUse(ctx.db, workspaceId, attemptId);
  if (!use?.live) return 'not_live';
  return use.used ? 'used' : 'other_call';
}
