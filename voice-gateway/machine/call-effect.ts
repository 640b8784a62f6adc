// What the machine asks of its shell.
import type { FixedLine } from '../fixed-lines.ts';
import type { EndedBy, OptOut } from './call-state.ts';

export type CallEffect =
  | { readonly kind: 'say'; readonly utteranceId: string; readonly line: FixedLine }
  /** Ask the brain what to say next; a person's turn, if there was one, was kept before. */
  | {
      readonly kind: 'think';
      readonly turnId: number;
      readonly utteranceId: string;
      readonly preface: 'recording_off' | null;
      readonly wrapUp: boolean;
      /** When the person fell silent; null when the agent speaks unasked. */
      readonly personEndedAtMs: number | null;
    }
  | { readonly kind: 'abandon_reply' }
  | { readonly kind: 'pause_speech' }
  | { readonly kind: 'resume_speech' }
  /** Clears what was sent and drops what was not. */
  | { readonly kind: 'silence_speech' }
  | {
      readonly kind: 'keep_person_turn';
      readonly text: string;
      readonly fromMs: number;
      readonly toMs: number;
    }
  /** The shell proves it from the ledger: no proof, no recording. */
  | {
      readonly kind: 'open_recording';
      readonly noticeUtteranceId: string;
      readonly firstSpeechAtMs: number;
    }
  | { readonly kind: 'delete_recording' }
  | { readonly kind: 'report_person'; readonly answeredAtMs: number }
  | { readonly kind: 'extend_hold' }
  | { readonly kind: 'keep_opt_out'; readonly optOut: OptOut }
  | { readonly kind: 'hang_up' }
  | { readonly kind: 'finish'; readonly facts: CallFacts };

/** The machine's part of the call report. */
export interface CallFacts {
  readonly answeredBy: 'person' | 'machine' | 'nobody';
  readonly talkStartedAtMs: number | null;
  readonly talkEndedAtMs: number | null;
  readonly personSpoke: boolean;
  readonly endedBy: EndedBy;
  readonly optedOut: OptOut['why'] | null;
  readonly recordingObjected: boolean;
}
