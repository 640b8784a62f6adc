// Talking over the agent: sound pauses it, words stop it, a cough or an "uh-huh" lets it go on.
import { isBackchannel } from '../../domain/calls/phrases/backchannel.ts';
import type { CallState } from './call-state.ts';
import { limits } from './limits.ts';
import { andThen, clearDeadlines, setDeadline, step, type Step } from './step.ts';
import { armEndpoint, type WordsHeard, waitForPerson } from './turns.ts';

export function voiceBegan(state: CallState, atMs: number): CallState {
  switch (state.agent.kind) {
    case 'speaking':
      return mayInterrupt(state) ? setDeadline(state, 'bargeIn', atMs + limits.bargeInMs) : state;
    case 'paused':
      return setDeadline(state, 'falseAlarm', atMs + limits.longestPauseMs);
    case 'silent':
      return armEndpoint(clearDeadlines(state, 'idle', 'breath', 'endpoint'), atMs);
  }
}

export function voiceEnded(state: CallState, atMs: number): Step {
  const calm = clearDeadlines(state, 'bargeIn');
  switch (state.agent.kind) {
    case 'speaking':
      return step(calm);
    case 'paused':
      return step(setDeadline(calm, 'falseAlarm', atMs + limits.falseAlarmMs));
    case 'silent':
      return waitForPerson(calm, atMs);
  }
}

/** The sound lasted: the agent holds its tongue until it is clear what it was. */
export function pauseAgent(state: CallState, atMs: number): Step {
  if (state.agent.kind !== 'speaking' || !mayInterrupt(state)) return step(state);
  if (state.person.kind !== 'speaking') return step(state);
  const { utterance } = state.agent;
  const paused: CallState = {
    ...clearDeadlines(state, 'speechStall'),
    agent: { kind: 'paused', utterance },
  };
  const waiting = setDeadline(paused, 'falseAlarm', atMs + limits.longestPauseMs);
  return step(waiting, { kind: 'pause_speech' });
}

/** It was nothing: the agent goes on where it was last heard. */
export function resumeAgent(state: CallState, atMs: number): Step {
  if (state.agent.kind !== 'paused') return step(state);
  const resumed: CallState = {
    ...clearDeadlines(state, 'falseAlarm'),
    agent: { kind: 'speaking', utterance: state.agent.utterance },
  };
  return step(setDeadline(resumed, 'speechStall', atMs + limits.longestReplyMs), {
    kind: 'resume_speech',
  });
}

/** Words decide: they stop the agent, or a reply it has not begun, unless they only say "go on". */
export function personTalksOver(state: CallState, text: string, heard: WordsHeard): Step {
  const late = state.pending.finals.length === 0 && state.pending.interim === null;
  if (!mayInterrupt(state) || late) return step(state);
  if (state.agent.kind === 'silent' && state.thinking === null)
    return step(armEndpoint(state, heard.atMs));
  if (isEncouragement(state, text)) return encouraged(state, heard);
  const interrupted: CallState = {
    ...clearDeadlines(state, 'bargeIn', 'falseAlarm', 'speechStall', 'thinking'),
    agent: { kind: 'silent', sinceMs: heard.atMs },
    thinking: null,
  };
  const silenced = step(interrupted, { kind: 'abandon_reply' }, { kind: 'silence_speech' });
  return andThen(silenced, (next) => step(armEndpoint(next, heard.atMs)));
}

/** Only the conversation may be interrupted; notice and goodbyes are said to their end. */
export function mayInterrupt(state: CallState): boolean {
  return state.phase.kind === 'conversation' || state.phase.kind === 'notice_heard';
}

/** "Yeah" over the last moment of a yes/no question is an answer; in mid-sentence it is not. */
function isEncouragement(state: CallState, text: string): boolean {
  if (state.agent.kind === 'silent' || !isBackchannel(text)) return false;
  const remainingMs = state.person.kind === 'speaking' ? state.person.agentRemainingMs : Infinity;
  return state.pending.expects !== 'yes_no' || remainingMs > limits.answerOverlapMs;
}

/** A finished "uh-huh" is used up; a halted agent goes on at once. */
function encouraged(state: CallState, heard: WordsHeard): Step {
  if (heard.certainty === 'interim') return step(state);
  const used: CallState = { ...state, pending: { ...state.pending, finals: [], interim: null } };
  return used.person.kind === 'silent' ? resumeAgent(used, heard.atMs) : step(used);
}
