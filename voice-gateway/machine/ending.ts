// The ways out of a call: a last sentence, the hang-up, and the report.
import type { FixedLine } from '../fixed-lines.ts';
import type { CallFacts } from './call-effect.ts';
import type { CallState, EndedBy } from './call-state.ts';
import { limits } from './limits.ts';
import { andThen, setDeadline, step, type Step } from './step.ts';
import { beginTalk } from './talk.ts';

/** Says a last line to its end, whatever else was being said, then hangs up. */
export function closeWith(state: CallState, line: FixedLine, by: EndedBy, atMs: number): Step {
  if (isOver(state)) return step(state);
  const utteranceId = `line-${state.utterances + 1}`;
  const closing: CallState = {
    ...quiet(state),
    utterances: state.utterances + 1,
    phase: { kind: 'closing', utteranceId },
    agent: { kind: 'speaking', utterance: { id: utteranceId, line } },
    endedBy: by === 'own_fault' ? by : (state.endedBy ?? by),
  };
  return step(
    setDeadline(closing, 'closing', atMs + limits.goodbyeCeilingMs),
    { kind: 'abandon_reply' },
    { kind: 'silence_speech' },
    { kind: 'say', utteranceId, line },
  );
}

/** Our own fault: an apology if the person already knows who speaks, else just the end. */
export function failCall(state: CallState, atMs: number): Step {
  switch (state.phase.kind) {
    case 'notice_heard':
    case 'conversation':
      return closeWith(state, 'technical_apology', 'own_fault', atMs);
    case 'connecting':
    case 'listening_first':
    case 'notice':
      return hangUp(state, 'own_fault', atMs);
    case 'closing':
    case 'opting_out':
      return hangUp(state, 'agent', atMs);
    case 'hanging_up':
    case 'ended':
      return step(state);
  }
}

export function hangUp(state: CallState, by: EndedBy, atMs: number): Step {
  if (isOver(state)) return step(state);
  const hangingUp: CallState = {
    ...quiet(state),
    phase: { kind: 'hanging_up' },
    agent: { kind: 'silent', sinceMs: atMs },
    endedBy: state.endedBy ?? by,
    hungUpAtMs: atMs,
  };
  return step(
    setDeadline(hangingUp, 'hangUp', atMs + limits.hangUpMs),
    { kind: 'abandon_reply' },
    { kind: 'silence_speech' },
    { kind: 'hang_up' },
  );
}

/** The line is gone; reports once what is known. */
export function finish(state: CallState, by: EndedBy, atMs: number): Step {
  if (state.phase.kind === 'ended') return step(state);
  const endedBy = state.endedBy ?? by;
  // Talk that nothing else has begun counts from the answer, where the stream began.
  const settled = wasPerson(state, endedBy) ? beginTalk(state, 0) : step(state);
  return andThen(settled, (known) => {
    const ended: CallState = { ...known, phase: { kind: 'ended' }, endedBy, deadlines: {} };
    const facts = describe(ended, endedBy, atMs);
    return step({ ...ended, thinking: null }, { kind: 'abandon_reply' }, { kind: 'finish', facts });
  });
}

/** After the hang-up nothing is said and nothing is decided any more. */
export function isOver(state: CallState): boolean {
  return state.phase.kind === 'hanging_up' || state.phase.kind === 'ended';
}

function quiet(state: CallState): CallState {
  const { hardLimit } = state.deadlines;
  return { ...state, thinking: null, deadlines: hardLimit === undefined ? {} : { hardLimit } };
}

function describe(state: CallState, endedBy: EndedBy, atMs: number): CallFacts {
  const { evidence, talk, gate } = state;
  const talkEndedAtMs = state.hungUpAtMs ?? atMs;
  return {
    answeredBy: evidence.machineHeard ? 'machine' : wasPerson(state, endedBy) ? 'person' : 'nobody',
    talkStartedAtMs: talk.kind === 'running' ? talk.sinceMs : null,
    talkEndedAtMs: talk.kind === 'running' ? Math.max(talk.sinceMs, talkEndedAtMs) : null,
    personSpoke: evidence.wordsHeard > 0 && !evidence.machineHeard,
    endedBy,
    optedOut: state.optedOut?.why ?? null,
    recordingObjected: gate.kind === 'shut' && gate.why === 'objection',
  };
}

/** Machines do not hang up on a caller; whoever does was a person, even without a word. */
function wasPerson({ evidence }: CallState, endedBy: EndedBy): boolean {
  const heard = evidence.wordsHeard > 0 || evidence.carrier === 'person';
  return !evidence.machineHeard && (heard || endedBy === 'person');
}
