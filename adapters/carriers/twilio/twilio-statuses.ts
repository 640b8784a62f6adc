// Twilio's words for the state of a call, in ours. Pure.
import type { CarrierCallState } from '../../../domain/calls/carrier.ts';

const states: ReadonlyMap<string, CarrierCallState> = new Map([
  ['queued', 'queued'],
  ['initiated', 'queued'],
  ['ringing', 'ringing'],
  ['in-progress', 'in_progress'],
  ['completed', 'completed'],
  ['busy', 'busy'],
  ['no-answer', 'no_answer'],
  ['failed', 'failed'],
  ['canceled', 'canceled'],
]);

/** Null for a word that this release does not know. */
export function callStateOf(twilioStatus: string): CarrierCallState | null {
  return states.get(twilioStatus) ?? null;
}

/** Twilio writes whole seconds as text, and leaves them out while a call lasts. */
export function secondsOf(text: string | null | undefined): number | null {
  return text && /^\d+$/.test(text) ? Number(text) : null;
}
