// One utterance of the agent: its audio and words, and how far it was sent, marked and heard.
import type { SpeechChunk } from '../../domain/calls/speech.ts';
import { mulawBytesPerMs } from '../../platform/mulaw.ts';
import { heardWords, spreadWords } from './heard-text.ts';
import type { PlannedWord } from './heard-text.ts';
import { createSpokenAudio } from './spoken-audio.ts';
import type { SpokenAudio } from './spoken-audio.ts';

const limits = {
  smallestFrameMs: 20,
  largestFrameMs: 100,
  /** A mark stands at each end of a word, and at the latest after this much audio. */
  longestUnmarkedMs: 200,
} as const;

const smallestFrame = limits.smallestFrameMs * mulawBytesPerMs;
const largestFrame = limits.largestFrameMs * mulawBytesPerMs;
const longestUnmarked = limits.longestUnmarkedMs * mulawBytesPerMs;

export interface Utterance {
  readonly id: string;
  readonly plannedText: string;
  readonly audio: SpokenAudio;
  readonly words: PlannedWord[];
  state: 'arriving' | 'finished' | 'cleared';
  /** Octets sent to the carrier, sent before the last mark, and proven heard. */
  sent: number;
  marked: number;
  heard: number;
  startMs: number | null;
  lastHeardMs: number | null;
}

export interface Heard {
  readonly ms: number;
  /** Words whose end was heard. */
  readonly text: string;
  /** All audio arrived from the voice and all of it was heard; never true of an empty utterance. */
  readonly complete: boolean;
  /** Media time at which its first heard audio was played; null when nothing was heard. */
  readonly startMs: number | null;
  /** Media time of the last mark that proved any of it heard. */
  readonly lastHeardMs: number | null;
}

export function newUtterance(id: string, plannedText: string): Utterance {
  return {
    id,
    plannedText,
    audio: createSpokenAudio(),
    words: [],
    state: 'arriving',
    sent: 0,
    marked: 0,
    heard: 0,
    startMs: null,
    lastHeardMs: null,
  };
}

/** A word that is timed past its chunk ends with the chunk, so that hearing all means all words. */
export function appendChunk(utterance: Utterance, chunk: SpeechChunk): void {
  const { audio, words } = utterance;
  const from = audio.length;
  audio.append(chunk.mulaw);
  let least = words.at(-1)?.endOctet ?? 0;
  for (const { text, endMs } of chunk.words) {
    const endOctet = from + Math.round(endMs * mulawBytesPerMs);
    least = Math.max(least, Math.min(endOctet, audio.length));
    words.push({ text, endOctet: least });
  }
}

/** The next step of sending: an octet range, a mark, or waiting for the voice. */
export type NextStep =
  | { readonly kind: 'send'; readonly octets: number }
  | { readonly kind: 'mark' }
  | { readonly kind: 'wait' };

export function nextStep(utterance: Utterance): NextStep {
  const { audio, sent, marked, state } = utterance;
  const upTo = nextMarkAt(utterance);
  const rest = upTo - sent;
  const crumb = state === 'arriving' && upTo === audio.length && rest < smallestFrame;
  if (rest > 0 && !crumb) return { kind: 'send', octets: frameSize(rest) };
  return sent > marked ? { kind: 'mark' } : { kind: 'wait' };
}

export function describeHeard(utterance: Utterance): Heard {
  const { audio, heard, startMs, lastHeardMs } = utterance;
  const finished = utterance.state === 'finished';
  const timed = utterance.words.length > 0;
  const words = timed
    ? utterance.words
    : spreadWords(utterance.plannedText, { octets: audio.length, finished });
  return {
    ms: heard / mulawBytesPerMs,
    text: heard > 0 ? heardWords(words, heard) : '',
    complete: finished && audio.length > 0 && heard === audio.length,
    startMs,
    lastHeardMs,
  };
}

function nextMarkAt({ audio, words, sent, marked, state }: Utterance): number {
  const furthest = Math.min(marked + longestUnmarked, audio.length);
  const word = words.find(
    ({ endOctet }) => endOctet > marked && (endOctet === sent || endOctet >= sent + smallestFrame),
  );
  const upTo = Math.min(word?.endOctet ?? furthest, furthest);
  const endsSoon = state === 'finished' && audio.length - upTo < smallestFrame;
  return endsSoon ? audio.length : upTo;
}

/** Never leaves a rest that is too small for a frame of its own. */
function frameSize(rest: number): number {
  if (rest <= largestFrame) return rest;
  return rest - largestFrame < smallestFrame ? largestFrame - smallestFrame : largestFrame;
}
