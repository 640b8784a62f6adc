// One move of the machine: the next state and what to do about it.
import type { CallEffect } from './call-effect.ts';
import type { CallState, DeadlineName } from './call-state.ts';

export interface Step {
  readonly state: CallState;
  readonly effects: readonly CallEffect[];
}

export function step(state: CallState, ...effects: readonly CallEffect[]): Step {
  return { state, effects };
}

/** Goes on from a step, keeping the order of effects. */
export function andThen(first: Step, next: (state: CallState) => Step): Step {
  const second = next(first.state);
  return { state: second.state, effects: [...first.effects, ...second.effects] };
}

export function setDeadline(state: CallState, name: DeadlineName, atMs: number): CallState {
  return { ...state, deadlines: { ...state.deadlines, [name]: atMs } };
}

export function clearDeadlines(state: CallState, ...names: readonly DeadlineName[]): CallState {
  if (names.every((name) => state.deadlines[name] === undefined)) return state;
  const deadlines = { ...state.deadlines };
  for (const name of names) delete deadlines[name];
  return { ...state, deadlines };
}
