// At dial time outside the calling hours: the order waits for the next legal minute, or ends.
import type { Context } from '../context.ts';
import { findDialRefusal } from '../attempts/attempt-queries.ts';
import { dialWindow } from './dial-window.ts';
import { failAtDial, moveAtDial } from './move-at-dial.ts';
import type { DialFile } from './dial-file-queries.ts';

/** False when the order may be dialled now; else it was moved. */
export async function waitForWindow(ctx: Context, file: DialFile, now: Date): Promise<boolean> {
  const window = dialWindow(ctx.settings, file.order, file.agent.callingHours ?? null, now);
  if (window && !window.why) return false;
  // What fails it fails it now: who said stop at night is not kept until the morning.
  const refusal = await findDialRefusal(ctx.db, { ...file.order, carrier: ctx.carrier.name });
  if (refusal) await failAtDial(ctx, file, refusal);
  else if (window) await moveAtDial(ctx, file, 'waits', { nextDialAt: window.at });
  else await failAtDial(ctx, file, 'unsupported_destination');
  return true;
}
