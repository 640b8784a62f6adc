// Hides each word in the low bits of the samples that speak it. Pure.
import { mulawBytesPerMs, mulawSilence } from '../../platform/mulaw.ts';
import type { SpokenWord } from '../../domain/calls/speech.ts';
import { writeSubtitleFrame } from './subtitle-frame.ts';

/**
 * A frame ends with its word's last sample, so nobody reads a word before it was spoken in full. A
 * word too short for its frame borrows from what follows; silence is appended if the audio ends.
 */
export function embedSubtitles(mulaw: Uint8Array, words: readonly SpokenWord[]): Uint8Array {
  const placed = placeFrames(words);
  const neededBytes = placed.at(-1)?.endsAt ?? 0;
  const marked = new Uint8Array(Math.max(mulaw.length, neededBytes)).fill(mulawSilence);
  marked.set(mulaw);
  for (const { frame, endsAt } of placed) writeLowBits(marked, frame, endsAt);
  return marked;
}

interface PlacedFrame {
  readonly frame: Uint8Array;
  /** Index of the first sample behind the frame. */
  readonly endsAt: number;
}

function placeFrames(words: readonly SpokenWord[]): PlacedFrame[] {
  const placed: PlacedFrame[] = [];
  let freeFrom = 0;
  for (const { text, startMs, endMs } of words) {
    const frame = writeSubtitleFrame({ text, durationMs: endMs - startMs });
    if (!frame) continue;
    freeFrom = Math.max(freeFrom + frame.length * 8, Math.round(endMs * mulawBytesPerMs));
    placed.push({ frame, endsAt: freeFrom });
  }
  return placed;
}

function writeLowBits(mulaw: Uint8Array, frame: Uint8Array, endsAt: number): void {
  const startsAt = endsAt - frame.length * 8;
  for (let index = 0; index < frame.length * 8; index += 1) {
    const bit = ((frame[index >> 3] ?? 0) >> (7 - (index & 7))) & 1;
    mulaw[startsAt + index] = ((mulaw[startsAt + index] ?? mulawSilence) & 0xfe) | bit;
  }
}
