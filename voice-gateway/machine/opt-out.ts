// "Stop calling": heard in any state, written down before it is confirmed, and the call ends.
import type { CallState, OptOut } from './call-state.ts';
import { closeWith, hangUp } from './ending.ts';
import { limits } from './limits.ts';
import { clearDeadlines, setDeadline, step, type Step } from './step.ts';

export function hearOptOut(state: CallState, optOut: OptOut, atMs: number): Step {
  if (state.optedOut !== null || state.phase.kind === 'ended') return step(state);
  const noted: CallState = { ...state, optedOut: optOut };
  if (state.phase.kind === 'hanging_up') return step(noted, { kind: 'keep_opt_out', optOut });
  const { hardLimit } = state.deadlines;
  const keeping: CallState = {
    ...noted,
    phase: { kind: 'opting_out', step: 'keeping', tries: 1 },
    agent: { kind: 'silent', sinceMs: atMs },
    thinking: null,
    endedBy: state.endedBy ?? 'agent',
    deadlines: hardLimit === undefined ? {} : { hardLimit },
  };
  return step(
    setDeadline(keeping, 'closing', atMs + limits.goodbyeCeilingMs),
    { kind: 'abandon_reply' },
    { kind: 'silence_speech' },
    { kind: 'keep_opt_out', optOut },
  );
}

/** Only now may the agent promise it. */
export function confirmOptOut(state: CallState, atMs: number): Step {
  const waiting = state.phase.kind === 'opting_out' && state.phase.step === 'keeping';
  if (!waiting || state.optedOut === null) return step(state);
  const utteranceId = `line-${state.utterances + 1}`;
  const line =
    state.optedOut.why === 'stop_calling' ? 'stop_calling_goodbye' : 'wrong_number_goodbye';
  const confirming: CallState = {
    ...clearDeadlines(state, 'optOutRetry'),
    utterances: state.utterances + 1,
    phase: { ...state.phase, step: 'confirming' },
    agent: { kind: 'speaking', utterance: { id: utteranceId, line } },
  };
  return step(setDeadline(confirming, 'closing', atMs + limits.goodbyeCeilingMs), {
    kind: 'say',
    utteranceId,
    line,
  });
}

/** The wish could not be written down: tried again, and reported with the call in any case. */
export function optOutFailed(state: CallState, atMs: number): Step {
  if (state.phase.kind !== 'opting_out' || state.phase.step !== 'keeping') return step(state);
  const { tries } = state.phase;
  if (tries >= limits.optOutTries) return closeWith(state, 'technical_apology', 'own_fault', atMs);
  const waitMs = limits.optOutRetryMs * 2 ** (tries - 1);
  const waiting: CallState = { ...state, phase: { ...state.phase, tries: tries + 1 } };
  return step(setDeadline(waiting, 'optOutRetry', atMs + waitMs));
}

export function retryOptOut(state: CallState, atMs: number): Step {
  if (state.phase.kind !== 'opting_out' || state.optedOut === null)
    return hangUp(state, 'agent', atMs);
  return step(state, { kind: 'keep_opt_out', optOut: state.optedOut });
}
