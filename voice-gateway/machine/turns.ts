// Turn taking: when the person has finished, what they said becomes a turn and the brain is asked.
import { classifyUtterance } from '../../domain/calls/phrases/classify-utterance.ts';
import { hearMachine, personTookPart } from './arbiter.ts';
import type { CallEvent } from './call-event.ts';
import type { CallState, SpokenWords } from './call-state.ts';
import { limits } from './limits.ts';
import { hearOptOut } from './opt-out.ts';
import { acknowledge, owesAcknowledgement, shutGate } from './recording-gate.ts';
import { andThen, clearDeadlines, setDeadline, step, type Step } from './step.ts';

/** The agent is silent: what has been said becomes a turn soon, else the silence is counted. */
export function waitForPerson(state: CallState, atMs: number): Step {
  if (!isListening(state)) return step(state);
  if (hasWords(state)) return step(armEndpoint(state, atMs));
  if (state.person.kind === 'speaking') return step(state);
  if (state.turns === 0) return step(setDeadline(state, 'breath', atMs + limits.breathMs));
  return step(setDeadline(state, 'idle', atMs + limits.idleMs));
}

/** The person seems to have finished: unless that changes, this is the turn. */
export function decideTurn(state: CallState, atMs: number): Step {
  const words = pendingWords(state);
  const [first] = words;
  if (!first || !hasWords(state) || !isListening(state)) return step(state);
  const text = joinWords(words);
  const decided: CallState = { ...state, pending: { ...state.pending, decidedAtMs: atMs } };
  return andThen(flushWords(decided), (flushed) => {
    switch (classifyUtterance(text)) {
      case 'stop_calling':
        return hearOptOut(flushed, { why: 'stop_calling', quote: text }, atMs);
      case 'wrong_number':
        return hearOptOut(flushed, { why: 'wrong_number', quote: text }, atMs);
      case 'voicemail_greeting':
      case 'call_screening':
      case 'network_announcement':
        return andThen(hearMachine(flushed, atMs), (next) => answer(next, first, atMs));
      case 'recording_objection':
        return andThen(shutGate(flushed, 'objection'), (next) => answer(next, first, atMs));
      case 'not_interested':
      case 'callback_later':
      case 'human_request':
      case 'none':
        return answer(flushed, first, atMs);
    }
  });
}

/** Puts what was said into the transcript; a late final of the same words will not count again. */
export function flushWords(state: CallState): Step {
  const words = pendingWords(state);
  const [first] = words;
  const last = words.at(-1);
  if (!first || !last) return step(state);
  const { interim } = state.pending;
  const used = [state.pending.usedInterim, interim?.text].filter((text) => text != null);
  const usedInterim = used.length === 0 ? null : used.join(' ');
  const pending = { ...state.pending, carried: [], finals: [], interim: null, usedInterim };
  return step(
    { ...clearDeadlines(state, 'endpoint'), pending },
    { kind: 'keep_person_turn', text: joinWords(words), fromMs: first.fromMs, toMs: last.toMs },
  );
}

/** Asks the brain for the agent's next turn; `personEndedAtMs` is null when nobody asked for it. */
export function askBrain(state: CallState, personEndedAtMs: number | null, atMs: number): Step {
  const turnId = state.turns + 1;
  const asking: CallState = {
    ...clearDeadlines(acknowledge(state), 'breath', 'idle', 'endpoint'),
    phase: { kind: 'conversation' },
    turns: turnId,
    thinking: { turnId, audible: false },
    pending: { ...state.pending, expects: 'nothing' },
  };
  return step(setDeadline(asking, 'thinking', atMs + limits.thinkingMs), {
    kind: 'think',
    turnId,
    utteranceId: `reply-${turnId}`,
    preface: owesAcknowledgement(state) ? 'recording_off' : null,
    wrapUp: state.wrapUp,
    personEndedAtMs,
  });
}

/** When the words so far count as a finished turn; moved with every word and every pause. */
export function armEndpoint(state: CallState, atMs: number): CallState {
  if (!isListening(state) || !hasWords(state)) return state;
  const cleared = clearDeadlines(state, 'idle', 'breath');
  if (state.person.kind === 'speaking')
    return setDeadline(cleared, 'endpoint', atMs + limits.stuckVoiceMs);
  const lastWordMs = pendingWords(state).at(-1)?.toMs ?? atMs;
  const endedMs = state.person.sinceMs ?? lastWordMs;
  const pauseMs = state.pending.expects === 'digits' ? limits.digitsEndpointMs : limits.endpointMs;
  if (!state.pending.interim)
    return setDeadline(cleared, 'endpoint', Math.max(atMs, endedMs + pauseMs));
  const finalDueMs = endedMs + Math.max(limits.finalWaitMs, pauseMs);
  return setDeadline(cleared, 'endpoint', Math.max(atMs + pauseMs, finalDueMs));
}

export function pendingWords(state: CallState): readonly SpokenWords[] {
  const { carried, interim } = state.pending;
  const finals = [...carried, ...state.pending.finals];
  return interim ? [...finals, interim] : finals;
}

export function joinWords(words: readonly SpokenWords[]): string {
  return words.map((spoken) => spoken.text).join(' ');
}

/** It is the person's turn: the agent neither speaks nor works out what to say. */
export function isListening(state: CallState): boolean {
  const phase = state.phase.kind;
  const talking = phase === 'notice_heard' || phase === 'conversation';
  return talking && state.agent.kind === 'silent' && state.thinking === null;
}

function answer(state: CallState, first: SpokenWords, atMs: number): Step {
  if (!isListening(state)) return step(state);
  const { noticeHeardAtMs } = state.evidence;
  const afterNotice = noticeHeardAtMs !== null && first.toMs > noticeHeardAtMs;
  const counted = afterNotice ? personTookPart(state, atMs) : step(state);
  const endedAtMs = state.person.kind === 'silent' ? (state.person.sinceMs ?? atMs) : atMs;
  return andThen(counted, (next) => askBrain(next, afterNotice ? endedAtMs : null, atMs));
}

function hasWords(state: CallState): boolean {
  return state.pending.interim !== null || state.pending.finals.length > 0;
}

export type WordsHeard = Extract<CallEvent, { kind: 'words_heard' }>;
