// Everything a live call asks of the rest of the product. The gateway talks to this and to nothing else of ours.
import type { AgentConfig } from '../agents/agent-config.ts';
import type { Direction } from './caller.ts';
import type { CallReport, ExtractedAnswer } from './call-report.ts';

/** Names the attempt that a call serves. */
export interface CallRef {
  readonly workspaceId: string;
  readonly orderId: string;
  readonly attemptId: string;
}

/** What the gateway is told before the first word. */
export interface CallBrief extends CallRef {
  readonly carrierCallId: string;
  readonly direction: Direction;
  readonly agent: AgentConfig;
  readonly lead: { readonly firstName: string | null; readonly customContext: string | null };
  /** Dial result the carrier's machine detection already gave, if any. */
  readonly answeredBy: AnsweredBy | null;
}

export type AnsweredBy = 'person' | 'machine' | 'unknown';

export type Admission =
  | { readonly kind: 'admitted'; readonly brief: CallBrief }
  | {
      readonly kind: 'refused';
      readonly reason: 'bad_token' | 'expired' | 'used' | 'other_call' | 'not_live';
    };

/** One heard turn; times are milliseconds since the media stream began. */
export interface HeardTurn {
  readonly position: number;
  readonly role: 'agent' | 'user';
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface Slot {
  /** ISO 8601 instant in UTC. */
  readonly startTime: string;
  readonly minutes: number;
}

export type BookingResult =
  | { readonly kind: 'booked'; readonly startTime: string; readonly calendarEventId: string }
  | { readonly kind: 'taken' }
  /** The calendar cannot book now; offering other times is of no use. */
  | { readonly kind: 'unavailable' };

export interface CallDesk {
  /** Checks the signature and expiry of a media token without consuming it (before the upgrade completes). */
  checkToken(token: string): 'good' | 'bad_token' | 'expired';
  /** Consumes the one-use token and binds the socket to the carrier's call. */
  admit(token: string, carrierCallId: string): Promise<Admission>;
  /** A person is on the line: the order becomes IN_PROGRESS and talk time runs from `answeredAt`. */
  personAnswered(call: CallRef, answeredAt: Date): Promise<void>;
  /** Keeps a turn (insert or replace by position) and the last heard word, so that a crash loses nothing heard. */
  keepTurn(call: CallRef, turn: HeardTurn): Promise<void>;
  /** Proves every few seconds that the gateway still holds the call. */
  keepAlive(call: CallRef): Promise<void>;
  /** Holds one more minute before it starts. */
  extendHold(call: CallRef): Promise<'extended' | 'insufficient'>;
  /** Durable before it resolves: the number is on the do-not-contact list. */
  optOut(call: CallRef, why: 'stop_calling' | 'wrong_number', quote: string): Promise<void>;
  /** Free appointment times, soonest first, held for this call for a short while. */
  freeSlots(call: CallRef, count: number): Promise<readonly Slot[] | 'unavailable'>;
  /** One appointment per call: a repeat answers the first. */
  book(call: CallRef, slot: Slot): Promise<BookingResult>;
  /** Later machine-detection verdicts of the carrier; returns an unsubscribe function. */
  onAnsweredBy(call: CallRef, listener: (answeredBy: AnsweredBy) => void): () => void;
  /** Asks the carrier to end the call; safe to repeat. */
  hangUp(call: CallRef, carrierCallId: string): Promise<void>;
  /** Hands the finished audio over for encoding and storage. */
  keepRecording(call: CallRef, rawPath: string, durationMs: number): Promise<void>;
  /** Ends the attempt exactly once; a repeated report changes nothing. */
  finish(call: CallRef, report: CallReport): Promise<void>;
}

export type { CallReport, ExtractedAnswer };
