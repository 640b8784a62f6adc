// A verified callback about a call to one of our numbers; it names only the carrier's id of the call.
import type { CallEvent } from '../calls/carrier.ts';
import type { Context } from '../context.ts';
import { applyCarrierEvent } from './apply-carrier-event.ts';
import { findInboundCall } from './inbound-queries.ts';

/** Calls that were not taken have no order, and their end changes nothing. */
export async function applyInboundEvent(ctx: Context, event: CallEvent): Promise<void> {
  const call = await findInboundCall(ctx.db, event.carrierCallId);
  if (call) await applyCarrierEvent(ctx, call, event);
}
