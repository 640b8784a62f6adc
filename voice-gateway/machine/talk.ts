// Paid talk time: it begins once a person is certain, and counts from the person's first sound.
import type { CallState } from './call-state.ts';
import { limits } from './limits.ts';
import { setDeadline, step, type Step } from './step.ts';

export function beginTalk(state: CallState, atMs: number): Step {
  if (state.talk.kind === 'running') return step(state);
  const sinceMs = state.evidence.firstSpeechAtMs ?? atMs;
  const heldUntilMs = sinceMs + limits.heldStepMs;
  const talking: CallState = { ...state, talk: { kind: 'running', sinceMs, heldUntilMs } };
  return step(setDeadline(talking, 'holdExtension', heldUntilMs - limits.holdAheadMs), {
    kind: 'report_person',
    answeredAtMs: sinceMs,
  });
}
