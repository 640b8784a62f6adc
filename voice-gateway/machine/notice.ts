// The opening: listen for a hello of whoever was called, give the notice uninterrupted, go on once it was heard.
import type { AnsweredBy } from '../../domain/calls/call-desk.ts';
import { weighCarrierVerdict } from './arbiter.ts';
import type { CallState } from './call-state.ts';
import { failCall } from './ending.ts';
import { limits } from './limits.ts';
import { noticeWasHeard } from './recording-gate.ts';
import { andThen, clearDeadlines, setDeadline, step, type Step } from './step.ts';
import { startTimeLimits } from './time-limits.ts';
import { askBrain, flushWords, waitForPerson } from './turns.ts';

export function startCall(state: CallState, answeredBy: AnsweredBy | null, atMs: number): Step {
  if (state.phase.kind !== 'connecting') return step(state);
  const open: CallState = {
    ...clearDeadlines(state, 'connect'),
    phase: { kind: 'listening_first' },
  };
  const limited = startTimeLimits(open, atMs);
  if (state.direction === 'inbound') return startNotice(limited);
  const listening = setDeadline(limited, 'firstWords', atMs + limits.firstWordsMs);
  return weighCarrierVerdict(listening, answeredBy ?? 'unknown', atMs);
}

export function greetingBegan(state: CallState, atMs: number): Step {
  return step(setDeadline(state, 'firstWords', atMs + limits.longestGreetingMs));
}

export function greetingEnded(state: CallState, atMs: number): Step {
  return step(setDeadline(state, 'firstWords', atMs + limits.greetingPauseMs));
}

export function startNotice(state: CallState): Step {
  if (state.phase.kind !== 'listening_first') return step(state);
  return andThen(flushWords(state), (flushed) => sayNotice(flushed, 0));
}

/** Whatever cut the notice short, half a notice is none. */
export function noticeCut(state: CallState, atMs: number): Step {
  if (state.phase.kind !== 'notice') return step(state);
  const { replays } = state.phase;
  if (replays >= limits.noticeReplays) return failCall(state, atMs);
  return andThen(step(state, { kind: 'silence_speech' }), (cleared) =>
    sayNotice(cleared, replays + 1),
  );
}

export function noticePlayed(state: CallState, utteranceId: string, atMs: number): Step {
  const heard: CallState = {
    ...clearDeadlines(state, 'noticeStall'),
    phase: { kind: 'notice_heard' },
    agent: { kind: 'silent', sinceMs: atMs },
    evidence: { ...state.evidence, noticeHeardAtMs: atMs },
  };
  const waiting = setDeadline(heard, 'nobody', atMs + limits.nobodyMs);
  return andThen(noticeWasHeard(waiting, utteranceId, atMs), (next) => waitForPerson(next, atMs));
}

/** The person had a moment to react to the notice and did not. */
export function breathOver(state: CallState, atMs: number): Step {
  if (state.person.kind === 'speaking') return step(state);
  return askBrain(state, null, atMs);
}

function sayNotice(state: CallState, replays: number): Step {
  const utteranceId = `line-${state.utterances + 1}`;
  const notice: CallState = {
    ...clearDeadlines(state, 'firstWords', 'noticeStall'),
    utterances: state.utterances + 1,
    phase: { kind: 'notice', utteranceId, replays },
    agent: { kind: 'speaking', utterance: { id: utteranceId, line: 'notice' } },
  };
  return step(notice, { kind: 'say', utteranceId, line: 'notice' });
}
