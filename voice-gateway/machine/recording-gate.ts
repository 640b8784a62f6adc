// Recording begins only once the notice was heard to its end and the person then speaks.
import type { CallState } from './call-state.ts';
import { type Step, step } from './step.ts';

/** The last mark of the notice came back; whoever is speaking right now speaks after it. */
export function noticeWasHeard(state: CallState, noticeUtteranceId: string, atMs: number): Step {
  if (state.gate.kind !== 'closed') return step(state);
  const ready: CallState = { ...state, gate: { kind: 'notice_heard', noticeUtteranceId } };
  return state.person.kind === 'speaking' ? personSpeaks(ready, atMs) : step(ready);
}

export function personSpeaks(state: CallState, atMs: number): Step {
  if (state.gate.kind !== 'notice_heard') return step(state);
  const { noticeUtteranceId } = state.gate;
  return step(
    { ...state, gate: { kind: 'open' } },
    { kind: 'open_recording', noticeUtteranceId, firstSpeechAtMs: atMs },
  );
}

/** For good: what was recorded is deleted and nothing more is. */
export function shutGate(state: CallState, why: 'objection' | 'machine'): Step {
  if (state.gate.kind === 'shut') return step(state);
  const shut: CallState = { ...state, gate: { kind: 'shut', why, acknowledged: false } };
  return state.gate.kind === 'open' ? step(shut, { kind: 'delete_recording' }) : step(shut);
}

/** True once, so that the agent confirms an objection exactly one time. */
export function owesAcknowledgement(state: CallState): boolean {
  return state.gate.kind === 'shut' && state.gate.why === 'objection' && !state.gate.acknowledged;
}

export function acknowledge(state: CallState): CallState {
  if (state.gate.kind !== 'shut') return state;
  return { ...state, gate: { ...state.gate, acknowledged: true } };
}
