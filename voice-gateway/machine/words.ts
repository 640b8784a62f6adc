// What the recogniser hears: wishes that act at once, and words that wait to become a turn.
import { classifyUtterance } from '../../domain/calls/phrases/classify-utterance.ts';
import { countWords, hearMachine, soundsLikeMachine } from './arbiter.ts';
import { personTalksOver } from './barge-in.ts';
import type { CallState, PendingWords } from './call-state.ts';
import { isOver } from './ending.ts';
import { hearOptOut } from './opt-out.ts';
import { shutGate } from './recording-gate.ts';
import { andThen, clearDeadlines, step, type Step } from './step.ts';
import { flushWords, joinWords, pendingWords, type WordsHeard } from './turns.ts';

/** "Stop calling" comes first and counts in every state, half said or finished. */
export function hearWords(state: CallState, heard: WordsHeard): Step {
  const fresh = withoutUsedWords(state.pending, heard);
  const kept = keepWords(state, { ...heard, text: fresh });
  const text = joinWords(pendingWords(kept));
  if (fresh === '') return step(kept);
  const label = classifyUtterance(text, heard.certainty);
  if (label === 'stop_calling' || isStop(heard)) {
    return andThen(flushWords(kept), (next) =>
      hearOptOut(next, { why: 'stop_calling', quote: text }, heard.atMs),
    );
  }
  if (isOver(state)) return step(kept);
  const interim = kept.pending.interim?.text ?? '';
  if (soundsLikeMachine(kept, interim)) return hearMachine(kept, heard.atMs);
  const objected = label === 'recording_objection' ? shutGate(kept, 'objection') : step(kept);
  return andThen(objected, (next) => personTalksOver(next, text, heard));
}

/** The whole utterance, should its beginning have gone into an earlier turn. */
function isStop({ text, certainty }: WordsHeard): boolean {
  return classifyUtterance(text, certainty) === 'stop_calling';
}

function keepWords(state: CallState, heard: WordsHeard): CallState {
  const { text, fromMs, toMs } = heard;
  const final = heard.certainty === 'final';
  const words = text === '' ? null : { text, fromMs, toMs };
  const { finals, carried, decidedAtMs } = state.pending;
  const late = final && words !== null && toMs <= decidedAtMs;
  const count = final ? countWords(text) : 0;
  const { evidence } = state;
  const kept: CallState = {
    ...state,
    idlePrompts: 0,
    pending: {
      ...state.pending,
      carried: late ? [...carried, words] : carried,
      finals: final && words && !late ? [...finals, words] : finals,
      interim: final ? null : words,
      usedInterim: final ? null : state.pending.usedInterim,
    },
    evidence: {
      ...evidence,
      firstSpeechAtMs: evidence.firstSpeechAtMs ?? (words ? Math.min(fromMs, heard.atMs) : null),
      wordsHeard: Math.max(evidence.wordsHeard, words ? 1 : 0) + count,
      unbrokenWords: evidence.unbrokenWords + count,
    },
  };
  return words ? clearDeadlines(kept, 'idle', 'breath', 'nobody') : kept;
}

/** A turn made of interim text has its final still to come: only what goes beyond it is new. */
function withoutUsedWords({ usedInterim }: PendingWords, heard: WordsHeard): string {
  const text = heard.text.trim();
  if (usedInterim === null) return text;
  const used = spell(usedInterim);
  const words = text.split(/\s+/);
  const repeated = spell(words.slice(0, used.length).join(' '));
  return repeated.join(' ') === used.join(' ') ? words.slice(used.length).join(' ') : text;
}

function spell(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s]/gu, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}
