// Asks for a dial with what all dials share: a caller number, the pace of the carrier, and how long to wait for a call.
import { callLimits } from '../calls/call-limits.ts';
import type { Context } from '../context.ts';
import { beginDial, type BeginDialAnswer, type DialRequest } from './attempt-queries.ts';
import { findCallerNumbers } from './caller-number-queries.ts';
import { chooseCallerNumber } from './choose-caller-number.ts';

type OwnPart = Omit<
  DialRequest,
  'callerNumber' | 'waitUntil' | 'carrierAccount' | 'callsPerSecond' | 'probeUntil'
>;

/** The number is chosen before the lock and judged again under it. */
export async function startDial(
  ctx: Context,
  dial: OwnPart & { readonly phone: string },
): Promise<BeginDialAnswer> {
  const { now } = dial;
  const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const numbers = await findCallerNumbers(ctx.db, dial, now);
  return beginDial(ctx.db, {
    ...dial,
    callerNumber: chooseCallerNumber(dial.phone, numbers, now),
    waitUntil: inSeconds(callLimits.callsWaitSeconds),
    carrierAccount: ctx.carrier.name,
    callsPerSecond: ctx.settings.carrierCallsPerSecond,
    probeUntil: inSeconds(callLimits.carrierProbeSeconds),
  });
}
