// Cuts a line's audio into the overlapping windows the voice activity model wants.
import { encodeMulaw, mulawBytesPerMs, mulawSilence } from '../../platform/mulaw.ts';

const limits = {
  windowSamples: 256,
  contextSamples: 32,
  /** Peaks below −47 dBFS are line noise; such a window is silence without asking the model. */
  quietPeak: 150,
} as const;

export const windowMs = limits.windowSamples / mulawBytesPerMs;
export const paddedWindowSamples = limits.contextSamples + limits.windowSamples;

export interface WindowListener {
  quiet(fromMs: number): void;
  /** The window with its context; valid only during the call. */
  loud(fromMs: number, mulaw: Uint8Array): void;
}

export interface VoiceWindows {
  push(mulaw: Uint8Array, atMs: number): void;
}

export function createVoiceWindows(listener: WindowListener): VoiceWindows {
  const padded = new Uint8Array(paddedWindowSamples).fill(mulawSilence);
  const { contextSamples } = limits;
  let filled = contextSamples;
  let nextMs = 0;

  const emit = () => {
    const fromMs = nextMs - windowMs;
    if (isQuiet(padded)) listener.quiet(fromMs);
    else listener.loud(fromMs, padded);
    padded.copyWithin(0, padded.length - contextSamples);
    filled = contextSamples;
  };

  return {
    push(mulaw, atMs) {
      // A jump of the media clock: the half-filled window has no continuation.
      if (atMs !== nextMs) filled = contextSamples;
      nextMs = atMs;
      for (let read = 0; read < mulaw.length;) {
        const count = Math.min(mulaw.length - read, padded.length - filled);
        padded.set(mulaw.subarray(read, read + count), filled);
        read += count;
        filled += count;
        nextMs += count / mulawBytesPerMs;
        if (filled === padded.length) emit();
      }
    },
  };
}

const quietMagnitude = magnitude(encodeMulaw(Int16Array.of(limits.quietPeak))[0] ?? mulawSilence);

function isQuiet(padded: Uint8Array): boolean {
  for (let index = limits.contextSamples; index < padded.length; index += 1)
    if (magnitude(padded[index] ?? mulawSilence) > quietMagnitude) return false;
  return true;
}

/** A µ-law byte's inverted low bits grow with the sample's magnitude. */
function magnitude(byte: number): number {
  return ~byte & 0x7f;
}
