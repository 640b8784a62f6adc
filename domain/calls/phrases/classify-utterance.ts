// What is meant on the line, as far as fixed rules can tell. A model may add to it, never veto it.
import { asksForHuman } from './human-request.ts';
import { asksForLaterCall } from './callback-later.ts';
import { asksToStopCalling } from './stop-calling.ts';
import { hearMachineGreeting, type MachineGreeting } from './machine-greeting.ts';
import { normaliseUtterance } from './normalise-utterance.ts';
import { declinesOffer } from './not-interested.ts';
import { objectsToRecording } from './recording-objection.ts';
import type { Certainty } from './phrase-rule.ts';
import { saysWrongNumber } from './wrong-number.ts';

export type UtteranceLabel =
  | 'stop_calling'
  | MachineGreeting
  | 'recording_objection'
  | 'wrong_number'
  | 'not_interested'
  | 'callback_later'
  | 'human_request'
  | 'none';

/** The first label that fits, by weight. Interim text counts where later words cannot turn it. */
export function classifyUtterance(spoken: string, certainty: Certainty = 'final'): UtteranceLabel {
  const text = normaliseUtterance(spoken);
  if (asksToStopCalling(text, certainty)) return 'stop_calling';
  const machine = hearMachineGreeting(text);
  if (machine) return machine;
  if (objectsToRecording(text, certainty)) return 'recording_objection';
  if (saysWrongNumber(text, spoken)) return 'wrong_number';
  if (declinesOffer(text)) return 'not_interested';
  if (asksForLaterCall(text)) return 'callback_later';
  if (asksForHuman(text)) return 'human_request';
  return 'none';
}
