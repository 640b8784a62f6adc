// Paid minutes and the longest call: the agent wraps up before either runs out.
import type { CallState } from './call-state.ts';
import { closeWith } from './ending.ts';
import { limits } from './limits.ts';
import { setDeadline, step, type Step } from './step.ts';

/** Sets the ends of the call as soon as it begins. */
export function startTimeLimits(state: CallState, atMs: number): CallState {
  const hardLimitMs = atMs + state.maxCallMs;
  const limited = setDeadline(state, 'hardLimit', hardLimitMs);
  return setDeadline(limited, 'softLimit', hardLimitMs - limits.softLimitAheadMs);
}

export function holdExtended(state: CallState): Step {
  if (state.talk.kind !== 'running' || !isTalking(state)) return step(state);
  const heldUntilMs = state.talk.heldUntilMs + limits.heldStepMs;
  const held: CallState = { ...state, talk: { ...state.talk, heldUntilMs } };
  return step(setDeadline(held, 'holdExtension', heldUntilMs - limits.holdAheadMs));
}

/** The next minute is not paid for: the next reply says goodbye, or else a fixed line does. */
export function holdInsufficient(state: CallState): Step {
  if (state.talk.kind !== 'running' || !isTalking(state)) return step(state);
  return step(wrapUpBy(state, state.talk.heldUntilMs - limits.goodbyeMs));
}

export function softLimitReached(state: CallState): Step {
  const { hardLimit } = state.deadlines;
  if (hardLimit === undefined || !isTalking(state)) return step(state);
  return step(wrapUpBy(state, hardLimit - limits.goodbyeMs));
}

export function wrapUpNow(state: CallState, atMs: number): Step {
  return isTalking(state) ? closeWith(state, 'out_of_time_goodbye', 'agent', atMs) : step(state);
}

function isTalking(state: CallState): boolean {
  return ['notice', 'notice_heard', 'conversation'].includes(state.phase.kind);
}

function wrapUpBy(state: CallState, byMs: number): CallState {
  const earliestMs = Math.min(byMs, state.deadlines.wrapUp ?? byMs);
  return setDeadline({ ...state, wrapUp: true }, 'wrapUp', earliestMs);
}
