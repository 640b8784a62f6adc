// Asks for a dial with what all dials share: a caller number, the pace of the carrier, and how long to wait for a call.
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { beginDial, type BeginDialAnswer, type DialRequest } from '../attempts/attempt-queries.ts';
import { chooseCallerNumber } from './choose-caller-number.ts';
import type { DialFile } from './dial-file-queries.ts';

type OwnPart = Pick<
  DialRequest,
  | 'attemptId'
  | 'now'
  | 'watchAt'
  | 'minutePriceMicros'
  | 'textPriceMicros'
  | 'dialsMax'
  | 'dialsWithinHours'
>;

/** The number is chosen before the lock and judged again under it. */
export async function startDial(
  ctx: Context,
  { order, callerNumbers }: DialFile,
  dial: OwnPart,
): Promise<BeginDialAnswer> {
  const { now } = dial;
  const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  return beginDial(ctx.db, {
    ...dial,
    workspaceId: order.workspaceId,
    orderId: order.id,
    version: order.version,
    callerNumber: chooseCallerNumber(order.phone, callerNumbers, now),
    waitUntil: inSeconds(callLimits.callsWaitSeconds),
    carrierAccount: ctx.carrier.name,
    callsPerSecond: ctx.settings.carrierCallsPerSecond,
    probeUntil: inSeconds(callLimits.carrierProbeSeconds),
  });
}
