// Puts the person's frames on the media clock: gaps become silence, repeats and latecomers vanish.
import { mulawBytesPerMs, mulawSilence } from '../../platform/mulaw.ts';

const limits = {
  /** Timestamps may wobble by less than one frame; a whole missing frame is a gap. */
  wobbleMs: 20,
  /** A longer gap moves the clock, but only its last part is filled. */
  longestFillMs: 10_000,
} as const;

const silence = Buffer.alloc(limits.longestFillMs * mulawBytesPerMs, mulawSilence);

/** Receives audio in order and without overlap; atMs is the media time of its first sample. */
export type DeliverAudio = (mulaw: Uint8Array, atMs: number) => void;

export interface InboundTimeline {
  push(frame: { readonly mulaw: Uint8Array; readonly atMs: number; readonly chunk: number }): void;
  /** Delivers silence up to a media time, for a line on which no frames arrive at all. */
  fillTo(atMs: number): void;
  /** Media time right after the last delivered sample. */
  readonly endMs: number;
  /** What the carrier never sent, delivered as silence or jumped over. */
  readonly missingMs: number;
  readonly droppedFrames: number;
}

export function createInboundTimeline(deliver: DeliverAudio): InboundTimeline {
  const wobble = limits.wobbleMs * mulawBytesPerMs;
  let end = 0;
  let lastChunk = -1;
  let missing = 0;
  let droppedFrames = 0;

  const emit = (mulaw: Uint8Array) => {
    deliver(mulaw, end / mulawBytesPerMs);
    end += mulaw.length;
  };
  const fill = (gap: number) => {
    const filled = Math.min(gap, silence.length);
    missing += gap;
    end += gap - filled;
    emit(silence.subarray(0, filled));
  };

  return {
    push({ mulaw, atMs, chunk }) {
      const ahead = atMs * mulawBytesPerMs - end;
      const stale = chunk <= lastChunk || (ahead <= -wobble && ahead + mulaw.length <= 0);
      if (stale) {
        droppedFrames += 1;
        return;
      }
      lastChunk = chunk;
      if (ahead >= wobble) fill(ahead);
      emit(ahead <= -wobble ? mulaw.subarray(-ahead) : mulaw);
    },
    fillTo(atMs) {
      const gap = Math.floor(atMs * mulawBytesPerMs) - end;
      if (gap > 0) fill(gap);
    },
    get endMs() {
      return end / mulawBytesPerMs;
    },
    get missingMs() {
      return missing / mulawBytesPerMs;
    },
    get droppedFrames() {
      return droppedFrames;
    },
  };
}
