// The brain port: decides what the agent says next; a script and a language model both fit.
import type { AgentConfig } from '../agents/agent-config.ts';
import type { ExtractedAnswer } from './call-report.ts';
import type { BookingResult, CallBrief, Slot } from './call-desk.ts';

/** What kind of words an agent's question calls for; it decides how long a pause may be. */
export type Expectation = 'nothing' | 'words' | 'yes_no' | 'digits';

export type BrainEvent =
  /** Words to speak, in order; each piece is whole sentences. */
  | { readonly kind: 'say'; readonly text: string }
  /** What the reply asks for: one of the agent's questions by its key, or something else (null). */
  | { readonly kind: 'ask'; readonly key: string | null; readonly expects: Expectation }
  /** The reply offers these times. */
  | { readonly kind: 'offer'; readonly slots: readonly Slot[] };

export interface ConversationTurn {
  readonly role: 'agent' | 'user';
  /** Only what was heard. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** False when the person cut the agent short. */
  readonly complete: boolean;
}

/** Everything known when the agent is to speak. */
export interface BrainTurn {
  readonly brief: CallBrief;
  readonly agent: AgentConfig;
  readonly turns: readonly ConversationTurn[];
  readonly facts: ConversationFacts;
  /** Time is nearly up: no new subject, say goodbye. */
  readonly wrapUp: boolean;
  /** The present, for words like "tomorrow". */
  readonly now: Date;
}

/** What the conversation has established; grows by the tools and by what was asked. */
export interface ConversationFacts {
  readonly answers: readonly ExtractedAnswer[];
  /** Questions put to the person, oldest first; a question asked again stands here again. */
  readonly asked: readonly string[];
  /** How often times were offered. */
  readonly offers: number;
  readonly interest: 'yes' | 'no' | 'unknown';
  /** The times last offered. */
  readonly offered: readonly Slot[];
  readonly booking: { readonly startTime: string; readonly calendarEventId: string } | null;
}

/** What a brain may do besides speaking. Each has taken effect when it returns. */
export interface BrainTools {
  recordAnswer(answer: Pick<ExtractedAnswer, 'key' | 'value' | 'quote'>): 'kept' | 'not_an_answer';
  noteInterest(interest: 'yes' | 'no'): void;
  /** Free times, soonest first, kept from other calls for a short while; never rejects. */
  checkSlots(count: number): Promise<readonly Slot[] | 'unavailable'>;
  /** Never rejects. */
  book(slot: Slot): Promise<BookingResult>;
  /** The rules did not see it, the brain did. */
  optOut(why: 'stop_calling' | 'wrong_number', quote: string): void;
  /** Hang up once the reply was heard. */
  endCall(): void;
}

export interface Brain {
  /** `script`, or the id of a model. */
  readonly name: string;
  /** Ends early, without error, on abort; what tools have done stays done. */
  reply(turn: BrainTurn, tools: BrainTools, signal: AbortSignal): AsyncIterable<BrainEvent>;
}
