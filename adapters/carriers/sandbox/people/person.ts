// What is known of somebody who can be called. Pure data; talking-person.ts brings it to life.
import type { FliteVoice } from '../../../speech/flite-voice.ts';

export interface Person {
  readonly key: string;
  readonly phone: string;
  readonly pickUp:
    | { readonly kind: 'answers'; readonly afterMs: number }
    | { readonly kind: 'busy' }
    | { readonly kind: 'never' };
  readonly behaviour: Behaviour;
  /** Why the network refuses calls or texts to this number. */
  readonly refusedCall?: 'invalid_number';
  readonly refusedText?: 'invalid_number' | 'texts_stopped';
}

export type Behaviour =
  | TalkingBehaviour
  | { readonly kind: 'machine'; readonly voice: FliteVoice; readonly greeting: string }
  | { readonly kind: 'hangs_up'; readonly afterMs: number };

export interface TalkingBehaviour {
  readonly kind: 'talks';
  readonly voice: FliteVoice;
  /** Said at once, over the other's words, when these match; each only once. */
  readonly interjections: readonly Reaction[];
  /** Said in one's own turn, before any ordinary answer; each only once. */
  readonly replies: readonly Reaction[];
}

export interface Reaction {
  readonly hears: RegExp;
  readonly reply: Reply;
}

export interface Reply {
  readonly says: string;
  readonly afterwards: 'listens' | 'hangs_up';
}
