// What can happen to a call. The shell stamps each event with the call's own clock.
import type { AnsweredBy } from '../../domain/calls/call-desk.ts';
import type { Expectation } from '../../domain/calls/brain.ts';

export type CallEvent = { readonly atMs: number } & CallHappening;

export type CallHappening =
  | { readonly kind: 'admitted'; readonly answeredBy: AnsweredBy | null }
  | { readonly kind: 'carrier_verdict'; readonly answeredBy: AnsweredBy }
  | { readonly kind: 'beep_heard' }
  | { readonly kind: 'digit_pressed'; readonly digit: string }
  | { readonly kind: 'speech_started'; readonly agentRemainingMs: number }
  /** `endedAtMs` is when the person fell silent, a little before the detector was sure. */
  | { readonly kind: 'speech_ended'; readonly endedAtMs: number }
  | {
      readonly kind: 'words_heard';
      readonly certainty: 'interim' | 'final';
      readonly text: string;
      readonly fromMs: number;
      readonly toMs: number;
    }
  /** The first audio of a reply was queued. */
  | { readonly kind: 'reply_began'; readonly turnId: number; readonly utteranceId: string }
  /** The whole reply was queued; a null utterance said nothing. */
  | {
      readonly kind: 'reply_made';
      readonly turnId: number;
      readonly utteranceId: string | null;
      readonly expects: Expectation;
      readonly afterwards: 'listen' | 'hang_up';
      readonly remainingMs: number;
    }
  | { readonly kind: 'reply_failed'; readonly turnId: number }
  /** The brain saw an opt-out that the rules did not. */
  | {
      readonly kind: 'opt_out_noticed';
      readonly why: 'stop_calling' | 'wrong_number';
      readonly quote: string;
    }
  /** All audio of a fixed line was queued. */
  | { readonly kind: 'line_made'; readonly utteranceId: string; readonly remainingMs: number }
  | { readonly kind: 'voice_failed'; readonly utteranceId: string }
  | { readonly kind: 'recogniser_failed' }
  /** All audio of an utterance was heard, proven by its last mark. */
  | { readonly kind: 'played'; readonly utteranceId: string }
  /** An utterance was lost on the way without our asking. */
  | { readonly kind: 'cut'; readonly utteranceId: string }
  | { readonly kind: 'opt_out_kept' }
  | { readonly kind: 'opt_out_failed' }
  | { readonly kind: 'hold_extended' }
  | { readonly kind: 'hold_insufficient' }
  /** The media stream is over: the carrier said so, or its socket broke. */
  | { readonly kind: 'stream_ended'; readonly by: 'person' | 'carrier' }
  /** We broke in a way that leaves nothing to say. */
  | { readonly kind: 'shell_failed' }
  | { readonly kind: 'tick' };
