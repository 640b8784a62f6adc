// Person, machine or nobody: weighs the carrier's verdict against what is heard on the line.
import type { AnsweredBy } from '../../domain/calls/call-desk.ts';
import { hearMachineGreeting } from '../../domain/calls/phrases/machine-greeting.ts';
import { normaliseUtterance } from '../../domain/calls/phrases/normalise-utterance.ts';
import type { CallState } from './call-state.ts';
import { hangUp, isOver } from './ending.ts';
import { limits } from './limits.ts';
import { shutGate } from './recording-gate.ts';
import { andThen, step, type Step } from './step.ts';
import { beginTalk } from './talk.ts';

/** `unknown` is no verdict, and no machine verdict outweighs a conversation that took place. */
export function weighCarrierVerdict(state: CallState, answeredBy: AnsweredBy, atMs: number): Step {
  if (answeredBy === 'unknown') return step(state);
  const evidence = { ...state.evidence, carrier: answeredBy };
  const weighed = { ...state, evidence };
  if (answeredBy === 'machine') return hearMachine(weighed, atMs);
  return weighed.evidence.machineHeard || isOver(weighed)
    ? step(weighed)
    : beginTalk(weighed, atMs);
}

/** A machine is on the line: the agent falls silent at once and nothing of the call is kept. */
export function hearMachine(state: CallState, atMs: number): Step {
  // Whoever called us is no voicemail, however long they speak.
  if (state.direction === 'inbound') return step(state);
  const tooLate = state.evidence.turnsExchanged > 0 || state.optedOut !== null || isOver(state);
  if (tooLate) return step(state);
  const heard = { ...state, evidence: { ...state.evidence, machineHeard: true } };
  return andThen(shutGate(heard, 'machine'), (shut) => hangUp(shut, 'agent', atMs));
}

/** Greeting phrases, and talking on without letting the agent in, are what machines do. */
export function soundsLikeMachine(state: CallState, interimText: string): boolean {
  if (state.direction === 'inbound' || state.evidence.turnsExchanged > 0) return false;
  const { finals } = state.pending;
  const text = [...finals.map((words) => words.text), interimText].join(' ');
  if (hearMachineGreeting(normaliseUtterance(text)) !== null) return true;
  const greeting = state.phase.kind === 'listening_first' || state.phase.kind === 'notice';
  const words = state.evidence.unbrokenWords + countWords(interimText);
  return greeting && words >= limits.greetingWordsOfMachine;
}

/** A turn after the notice settles it: talk time runs from the person's first sound. */
export function personTookPart(state: CallState, atMs: number): Step {
  const { evidence } = state;
  const counted: CallState = {
    ...state,
    evidence: { ...evidence, turnsExchanged: evidence.turnsExchanged + 1 },
  };
  return beginTalk(counted, atMs);
}

/** Long after the notice and not one sound: nobody holds this phone. */
export function nobodyThere(state: CallState, atMs: number): Step {
  const silent = state.evidence.firstSpeechAtMs === null && state.evidence.wordsHeard === 0;
  return silent && state.phase.kind === 'conversation' ? hangUp(state, 'agent', atMs) : step(state);
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
