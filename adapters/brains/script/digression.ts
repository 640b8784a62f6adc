// What a person may say instead of an answer, and what the agent says to that.
import type { AgentQuestion } from '../../../domain/agents/agent-config.ts';
import type { BrainTurn } from '../../../domain/calls/brain.ts';
import { classifyUtterance } from '../../../domain/calls/phrases/classify-utterance.ts';
import { asksWhetherMachine } from '../../../domain/calls/phrases/human-request.ts';
import { normaliseUtterance } from '../../../domain/calls/phrases/normalise-utterance.ts';
import { phrase } from '../../../domain/calls/phrases/phrase-rule.ts';
import { lines } from './lines.ts';

export type Digression =
  | { readonly kind: 'goodbye'; readonly says: string; readonly interest: 'no' | null }
  /** Said first; then the agent comes back to its question. */
  | { readonly kind: 'aside'; readonly says: string };

/** False when the words are about the call itself, so that "don't record this" is no "no". */
export function mayAnswer(question: AgentQuestion, said: string): boolean {
  if (asksWhetherMachine(normaliseUtterance(said))) return false;
  const label = classifyUtterance(said);
  return label === 'none' || (label === 'callback_later' && question.type === 'choice');
}

/** Whether it is a machine is always told. Null when the talk simply goes on. */
export function digressTo(turn: BrainTurn, said: string, answered: boolean): Digression | null {
  const text = normaliseUtterance(said);
  if (asksWhetherMachine(text)) return { kind: 'aside', says: iAmMachine(turn) };
  const choosingTime = turn.facts.offers > 0;
  switch (classifyUtterance(said)) {
    case 'human_request':
      return askedForHumanBefore(turn)
        ? { kind: 'goodbye', says: lines.humanWillCall(turn.agent), interest: null }
        : { kind: 'aside', says: lines.passOnHumanRequest(turn.agent) };
    case 'recording_objection':
      return { kind: 'aside', says: '' };
    case 'not_interested':
      if (choosingTime && !/\binterested\b/.test(text)) return null;
      return { kind: 'goodbye', says: lines.notInterested, interest: 'no' };
    case 'callback_later':
      if (choosingTime || answered) return null;
      return { kind: 'goodbye', says: lines.callbackLater(turn.agent), interest: null };
    case 'stop_calling':
    case 'wrong_number':
    case 'voicemail_greeting':
    case 'call_screening':
    case 'network_announcement':
    case 'none':
      return asksWhoCalls.test(text) ? { kind: 'aside', says: whoSpeaks(turn) } : null;
  }
}

function iAmMachine({ brief, agent }: BrainTurn): string {
  return brief.direction === 'inbound' ? lines.iAnswerAsMachine(agent) : lines.iAmMachine(agent);
}

function whoSpeaks({ brief, agent }: BrainTurn): string {
  return brief.direction === 'inbound' ? lines.whoAnswers(agent) : lines.whoCalls(agent);
}

const asksWhoCalls = phrase(
  String.raw`\b(?:who (?:is this|are you|is calling|am i (?:talking|speaking) (?:to|with))`,
  String.raw`|what is this (?:about|regarding|call)|why are you calling`,
  String.raw`|what (?:company|do you want))\b`,
);

function askedForHumanBefore({ turns }: BrainTurn): boolean {
  const requests = turns.filter(
    (turn) => turn.role === 'user' && classifyUtterance(turn.text) === 'human_request',
  );
  return requests.length > 1;
}
