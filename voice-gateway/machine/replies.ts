// The agent's side: replies as the brain makes them, fixed lines, and what their end leads to.
import type { CallEvent } from './call-event.ts';
import type { CallState } from './call-state.ts';
import { closeWith, failCall, hangUp } from './ending.ts';
import { limits } from './limits.ts';
import { noticeCut, noticePlayed } from './notice.ts';
import { andThen, clearDeadlines, setDeadline, step, type Step } from './step.ts';
import { resumeAgent, voiceBegan } from './barge-in.ts';
import { waitForPerson } from './turns.ts';

type Event<Kind extends CallEvent['kind']> = Extract<CallEvent, { kind: Kind }>;

export function replyBegan(state: CallState, event: Event<'reply_began'>): Step {
  if (state.thinking?.turnId !== event.turnId) return step(state);
  const speaking: CallState = {
    ...clearDeadlines(state, 'thinking'),
    thinking: { turnId: event.turnId, audible: true },
    agent: { kind: 'speaking', utterance: { id: event.utteranceId, line: 'reply' } },
  };
  const bounded = setDeadline(speaking, 'speechStall', event.atMs + limits.longestReplyMs);
  return step(state.person.kind === 'speaking' ? voiceBegan(bounded, event.atMs) : bounded);
}

export function replyMade(state: CallState, event: Event<'reply_made'>): Step {
  if (state.thinking?.turnId !== event.turnId) return step(state);
  const made: CallState = {
    ...clearDeadlines(state, 'thinking', 'speechStall'),
    thinking: null,
    pending: { ...state.pending, expects: event.expects },
  };
  if (event.utteranceId === null) return saidNothing(made, event);
  if (event.afterwards === 'hang_up') return lastReply(made, event.utteranceId, event);
  return step(setDeadline(made, 'speechStall', stallAt(event)));
}

export function replyFailed(state: CallState, event: Event<'reply_failed'>): Step {
  return state.thinking?.turnId === event.turnId ? failCall(state, event.atMs) : step(state);
}

/** Sets the ceiling for a line whose length is now known. */
export function lineMade(state: CallState, event: Event<'line_made'>): Step {
  if (currentUtterance(state)?.id !== event.utteranceId) return step(state);
  switch (state.phase.kind) {
    case 'notice':
      return step(setDeadline(state, 'noticeStall', stallAt(event)));
    case 'closing':
    case 'opting_out':
      return step(setDeadline(state, 'closing', event.atMs + event.remainingMs + limits.drainMs));
    case 'notice_heard':
    case 'conversation':
      return step(setDeadline(state, 'speechStall', stallAt(event)));
    case 'connecting':
    case 'listening_first':
    case 'hanging_up':
    case 'ended':
      return step(state);
  }
}

/** Proven heard to its end. */
export function utterancePlayed(state: CallState, utteranceId: string, atMs: number): Step {
  if (currentUtterance(state)?.id !== utteranceId) return step(state);
  switch (state.phase.kind) {
    case 'notice':
      return noticePlayed(state, utteranceId, atMs);
    case 'closing':
    case 'opting_out':
      return hangUp(state, 'agent', atMs);
    case 'notice_heard':
    case 'conversation':
      return agentFellSilent(state, atMs);
    case 'connecting':
    case 'listening_first':
    case 'hanging_up':
    case 'ended':
      return step(state);
  }
}

export function utteranceCut(state: CallState, utteranceId: string, atMs: number): Step {
  if (currentUtterance(state)?.id !== utteranceId) return step(state);
  return state.phase.kind === 'notice'
    ? noticeCut(state, atMs)
    : utterancePlayed(state, utteranceId, atMs);
}

export function voiceFailed(state: CallState, utteranceId: string, atMs: number): Step {
  return currentUtterance(state)?.id === utteranceId ? failCall(state, atMs) : step(state);
}

/** Marks that never came back: the words may or may not have been heard, the call goes on. */
export function speechStalled(state: CallState, atMs: number): Step {
  if (state.agent.kind !== 'speaking') return step(state);
  return andThen(step(state, { kind: 'abandon_reply' }, { kind: 'silence_speech' }), (cleared) =>
    agentFellSilent({ ...cleared, thinking: null }, atMs),
  );
}

/** Silence after the agent was heard: asked twice whether somebody is there, then goodbye. */
export function idleTooLong(state: CallState, atMs: number): Step {
  const { idlePrompts } = state;
  if (idlePrompts >= 2 || state.wrapUp)
    return closeWith(state, 'no_response_goodbye', 'agent', atMs);
  const line = idlePrompts === 0 ? 'still_there' : 'can_you_hear_me';
  const utteranceId = `line-${state.utterances + 1}`;
  const prompting: CallState = {
    ...state,
    idlePrompts: idlePrompts + 1,
    utterances: state.utterances + 1,
    agent: { kind: 'speaking', utterance: { id: utteranceId, line } },
  };
  return step(setDeadline(prompting, 'speechStall', atMs + limits.longestReplyMs), {
    kind: 'say',
    utteranceId,
    line,
  });
}

function agentFellSilent(state: CallState, atMs: number): Step {
  const silent: CallState = {
    ...clearDeadlines(state, 'bargeIn', 'falseAlarm', 'speechStall'),
    agent: { kind: 'silent', sinceMs: atMs },
  };
  return waitForPerson(silent, atMs);
}

function saidNothing(state: CallState, event: Event<'reply_made'>): Step {
  return event.afterwards === 'hang_up'
    ? hangUp(state, 'agent', event.atMs)
    : agentFellSilent(state, event.atMs);
}

/** The reply says goodbye: from here on it is said to its end. */
function lastReply(state: CallState, utteranceId: string, event: Event<'reply_made'>): Step {
  return andThen(resumeAgent(state, event.atMs), (resumed) => {
    const closing: CallState = {
      ...clearDeadlines(resumed, 'bargeIn', 'falseAlarm', 'speechStall', 'wrapUp', 'holdExtension'),
      phase: { kind: 'closing', utteranceId },
      endedBy: state.endedBy ?? 'agent',
    };
    const ceilingMs = event.atMs + event.remainingMs + limits.drainMs;
    return step(setDeadline(closing, 'closing', ceilingMs));
  });
}

function stallAt(event: { readonly atMs: number; readonly remainingMs: number }): number {
  return event.atMs + event.remainingMs + limits.lostMarksMs;
}

function currentUtterance(state: CallState) {
  return state.agent.kind === 'silent' ? null : state.agent.utterance;
}
