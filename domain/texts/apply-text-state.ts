// The carrier tells how a text that we sent arrived: applied once and only forward, in any order.
import type { TextStateEvent } from '../calls/carrier.ts';
import type { Context } from '../context.ts';
import { actOnOptOut } from '../do-not-contact/act-on-opt-out.ts';
import { keepTextState } from './text-queries.ts';

export async function applyTextState(
  ctx: Context,
  ref: { workspaceId: string; textId: string },
  event: TextStateEvent,
): Promise<void> {
  const { outcome, phone } = await keepTextState(ctx.db, ref, event, ctx.clock.now());
  const { state, errorCode } = event;
  const fields = { textId: ref.textId, state, errorCode, outcome };
  if (errorCode) ctx.log.warn(fields, 'text did not arrive');
  else ctx.log.debug(fields, 'text state told');
  if (outcome === 'opted_out' && phone) await actOnOptOut(ctx, ref.workspaceId, [phone]);
}
