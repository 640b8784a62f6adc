// Everything the call machine knows. Times are milliseconds since the media stream began.
import type { AnsweredBy } from '../../domain/calls/call-desk.ts';
import type { Direction } from '../../domain/calls/caller.ts';
import type { Expectation } from '../../domain/calls/brain.ts';
import type { FixedLine } from '../fixed-lines.ts';
import { limits } from './limits.ts';

export interface CallState {
  readonly maxCallMs: number;
  /** Who called whom: a caller waits to be greeted, and is nobody's answering machine. */
  readonly direction: Direction;
  readonly phase: Phase;
  readonly person: PersonVoice;
  readonly agent: AgentSpeech;
  readonly thinking: Thinking | null;
  readonly pending: PendingWords;
  readonly gate: RecordingGate;
  readonly evidence: Evidence;
  readonly optedOut: OptOut | null;
  readonly talk: Talk;
  readonly wrapUp: boolean;
  readonly idlePrompts: number;
  readonly utterances: number;
  readonly turns: number;
  readonly endedBy: EndedBy | null;
  readonly hungUpAtMs: number | null;
  readonly deadlines: Deadlines;
}

export type Phase =
  | { readonly kind: 'connecting' }
  /** The line is open; whoever picked up speaks first, or is given a moment to. */
  | { readonly kind: 'listening_first' }
  | { readonly kind: 'notice'; readonly utteranceId: string; readonly replays: number }
  | { readonly kind: 'notice_heard' }
  | { readonly kind: 'conversation' }
  | { readonly kind: 'opting_out'; readonly step: 'keeping' | 'confirming'; readonly tries: number }
  | { readonly kind: 'closing'; readonly utteranceId: string }
  | { readonly kind: 'hanging_up' }
  | { readonly kind: 'ended' };

export type PersonVoice =
  | { readonly kind: 'silent'; readonly sinceMs: number | null }
  | {
      readonly kind: 'speaking';
      readonly sinceMs: number;
      /** How much of the agent's speech was still to come when the person began. */
      readonly agentRemainingMs: number;
    };

export type AgentSpeech =
  | { readonly kind: 'silent'; readonly sinceMs: number }
  | { readonly kind: 'speaking'; readonly utterance: Utterance }
  | { readonly kind: 'paused'; readonly utterance: Utterance };

export interface Utterance {
  readonly id: string;
  readonly line: FixedLine | 'reply';
}

/** A reply is being worked out; from its first audio on it is `audible`. */
export interface Thinking {
  readonly turnId: number;
  readonly audible: boolean;
}

/** What the person said and no turn has used yet. */
export interface PendingWords {
  /** Finals that came after their turn was decided; they join the next turn but do not start it. */
  readonly carried: readonly SpokenWords[];
  readonly finals: readonly SpokenWords[];
  readonly interim: SpokenWords | null;
  /** Interim text that a turn used up; its late final must not count twice. */
  readonly usedInterim: string | null;
  /** When the last turn was decided. */
  readonly decidedAtMs: number;
  /** What the agent's last question calls for. */
  readonly expects: Expectation;
}

export interface SpokenWords {
  readonly text: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export type RecordingGate =
  | { readonly kind: 'closed' }
  | { readonly kind: 'notice_heard'; readonly noticeUtteranceId: string }
  | { readonly kind: 'open' }
  | {
      readonly kind: 'shut';
      readonly why: 'objection' | 'machine';
      readonly acknowledged: boolean;
    };

/** What speaks for a person, a machine, or nobody at the other end. */
export interface Evidence {
  readonly carrier: AnsweredBy | null;
  readonly machineHeard: boolean;
  readonly firstSpeechAtMs: number | null;
  readonly noticeHeardAtMs: number | null;
  readonly wordsHeard: number;
  /** Words of the greeting since its last real pause. */
  readonly unbrokenWords: number;
  /** Turns that answered the agent after the notice; only a person takes part in a conversation. */
  readonly turnsExchanged: number;
}

export interface OptOut {
  readonly why: 'stop_calling' | 'wrong_number';
  readonly quote: string;
}

/** Paid time: it runs once a person is certain, from the person's first word. */
export type Talk =
  | { readonly kind: 'not_begun' }
  | { readonly kind: 'running'; readonly sinceMs: number; readonly heldUntilMs: number };

export type EndedBy = 'agent' | 'person' | 'carrier' | 'own_fault';

export type DeadlineName =
  | 'connect'
  | 'firstWords'
  | 'noticeStall'
  | 'breath'
  | 'bargeIn'
  | 'falseAlarm'
  | 'endpoint'
  | 'thinking'
  | 'speechStall'
  | 'idle'
  | 'nobody'
  | 'holdExtension'
  | 'softLimit'
  | 'wrapUp'
  | 'hardLimit'
  | 'optOutRetry'
  | 'closing'
  | 'hangUp';

export type Deadlines = Readonly<Partial<Record<DeadlineName, number>>>;

export function newCall(maxCallMs: number, direction: Direction = 'outbound'): CallState {
  return {
    maxCallMs,
    direction,
    phase: { kind: 'connecting' },
    person: { kind: 'silent', sinceMs: null },
    agent: { kind: 'silent', sinceMs: 0 },
    thinking: null,
    pending: {
      carried: [],
      finals: [],
      interim: null,
      usedInterim: null,
      decidedAtMs: -1,
      expects: 'nothing',
    },
    gate: { kind: 'closed' },
    evidence: {
      carrier: null,
      machineHeard: false,
      firstSpeechAtMs: null,
      noticeHeardAtMs: null,
      wordsHeard: 0,
      unbrokenWords: 0,
      turnsExchanged: 0,
    },
    optedOut: null,
    talk: { kind: 'not_begun' },
    wrapUp: false,
    idlePrompts: 0,
    utterances: 0,
    turns: 0,
    endedBy: null,
    hungUpAtMs: null,
    deadlines: { connect: limits.connectMs },
  };
}
