// The life of a call as a pure function: (state, event) -> (state, effects). No clock, no I/O.
import { classifyUtterance } from '../domain/calls/phrases/classify-utterance.ts';
import { hearMachine, weighCarrierVerdict } from './machine/arbiter.ts';
import { voiceBegan, voiceEnded } from './machine/barge-in.ts';
import type { CallEvent } from './machine/call-event.ts';
import type { CallState } from './machine/call-state.ts';
import { runDeadlines } from './machine/deadlines.ts';
import { failCall, finish, isOver } from './machine/ending.ts';
import { limits } from './machine/limits.ts';
import { greetingBegan, greetingEnded, startCall } from './machine/notice.ts';
import { confirmOptOut, hearOptOut, optOutFailed } from './machine/opt-out.ts';
import { personSpeaks } from './machine/recording-gate.ts';
import {
  lineMade,
  replyBegan,
  replyFailed,
  replyMade,
  utteranceCut,
  utterancePlayed,
  voiceFailed,
} from './machine/replies.ts';
import { andThen, step, type Step } from './machine/step.ts';
import { holdExtended, holdInsufficient } from './machine/time-limits.ts';
import { flushWords, joinWords, pendingWords } from './machine/turns.ts';
import { hearWords } from './machine/words.ts';

/** Whatever fell due before the event happens first, so that late timers change nothing. */
export function advanceCall(state: CallState, event: CallEvent): Step {
  return andThen(runDeadlines(state, event.atMs), (current) =>
    current.phase.kind === 'ended' ? step(current) : happen(current, event),
  );
}

function happen(state: CallState, event: CallEvent): Step {
  const { atMs } = event;
  switch (event.kind) {
    case 'tick':
      return step(state);
    case 'admitted':
      return startCall(state, event.answeredBy, atMs);
    case 'carrier_verdict':
      return weighCarrierVerdict(state, event.answeredBy, atMs);
    case 'beep_heard':
      return hearMachine(state, atMs);
    case 'digit_pressed':
      return pressDigit(state, event.digit, atMs);
    case 'speech_started':
      return startSpeaking(state, event.agentRemainingMs, atMs);
    case 'speech_ended':
      return stopSpeaking(state, event.endedAtMs, atMs);
    case 'words_heard':
      return hearWords(state, event);
    case 'stream_ended':
      return endStream(state, event.by, atMs);
    case 'shell_failed':
      return finish(state, 'own_fault', atMs);
    case 'recogniser_failed':
      return failCall(state, atMs);
    case 'opt_out_noticed':
      return hearOptOut(state, { why: event.why, quote: event.quote }, atMs);
    case 'opt_out_kept':
      return confirmOptOut(state, atMs);
    case 'opt_out_failed':
      return optOutFailed(state, atMs);
    case 'hold_extended':
      return holdExtended(state);
    case 'hold_insufficient':
      return holdInsufficient(state);
    case 'reply_began':
    case 'reply_made':
    case 'reply_failed':
    case 'line_made':
    case 'voice_failed':
    case 'played':
    case 'cut':
      return speak(state, event);
  }
}

/** Events of the agent's own speech. */
function speak(state: CallState, event: SpeechEvent): Step {
  switch (event.kind) {
    case 'reply_began':
      return replyBegan(state, event);
    case 'reply_made':
      return replyMade(state, event);
    case 'reply_failed':
      return replyFailed(state, event);
    case 'line_made':
      return lineMade(state, event);
    case 'voice_failed':
      return voiceFailed(state, event.utteranceId, event.atMs);
    case 'played':
      return utterancePlayed(state, event.utteranceId, event.atMs);
    case 'cut':
      return utteranceCut(state, event.utteranceId, event.atMs);
  }
}

type SpeechEvent = Extract<
  CallEvent,
  {
    kind:
      | 'reply_began'
      | 'reply_made'
      | 'reply_failed'
      | 'line_made'
      | 'voice_failed'
      | 'played'
      | 'cut';
  }
>;

/** The key named in the rules for automated calls works beside the spoken wish. */
function pressDigit(state: CallState, digit: string, atMs: number): Step {
  if (digit !== '9') return step(state);
  return hearOptOut(state, { why: 'stop_calling', quote: 'pressed 9' }, atMs);
}

function startSpeaking(state: CallState, agentRemainingMs: number, atMs: number): Step {
  if (state.person.kind === 'speaking' || isOver(state)) return step(state);
  const { evidence, person } = state;
  const realPause = person.sinceMs !== null && atMs - person.sinceMs >= limits.realPauseMs;
  const speaking: CallState = {
    ...state,
    person: { kind: 'speaking', sinceMs: atMs, agentRemainingMs },
    evidence: {
      ...evidence,
      firstSpeechAtMs: evidence.firstSpeechAtMs ?? atMs,
      unbrokenWords: realPause ? 0 : evidence.unbrokenWords,
    },
  };
  return andThen(personSpeaks(speaking, atMs), (next) => {
    if (next.phase.kind === 'listening_first') return greetingBegan(next, atMs);
    return step(voiceBegan(next, atMs));
  });
}

function stopSpeaking(state: CallState, endedAtMs: number, atMs: number): Step {
  if (state.person.kind === 'silent' || isOver(state)) return step(state);
  const silent: CallState = { ...state, person: { kind: 'silent', sinceMs: endedAtMs } };
  return silent.phase.kind === 'listening_first'
    ? greetingEnded(silent, atMs)
    : voiceEnded(silent, atMs);
}

/** What was half said when the line went dead is final now, and may be the wish for no calls. */
function endStream(state: CallState, by: 'person' | 'carrier', atMs: number): Step {
  const text = joinWords(pendingWords(state));
  const optedOut = classifyUtterance(text) === 'stop_calling';
  return andThen(flushWords(state), (flushed) => {
    const heard = optedOut
      ? hearOptOut(flushed, { why: 'stop_calling', quote: text }, atMs)
      : step(flushed);
    const cause = state.endedBy ?? by;
    return andThen(heard, (next) => finish({ ...next, endedBy: cause }, by, atMs));
  });
}
