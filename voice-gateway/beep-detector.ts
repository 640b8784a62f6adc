// Hears the tone of an answering machine: one frequency, steadier than any vowel. Pure.
import { decodeMulaw } from '../platform/mulaw.ts';

const limits = {
  frameSamples: 160,
  sampleRate: 8_000,
  /** Below this mean square a frame is silence. */
  quietMeanSquare: 40_000,
  lowestHz: 750,
  highestHz: 2_000,
  /** Share of a frame's power that one sine leaves unexplained at most. */
  residualShare: 0.01,
  driftHz: 25,
  shortestMs: 160,
  longestMs: 1_500,
} as const;

export interface BeepDetector {
  /** True in the frame in which a tone of the right length has just ended. */
  push(mulaw: Uint8Array): boolean;
}

export function createBeepDetector(): BeepDetector {
  const frame = new Int16Array(limits.frameSamples);
  let filled = 0;
  let toneHz = 0;
  let toneMs = 0;

  const endFrame = (): boolean => {
    const hz = steadyToneHz(frame);
    const frameMs = (limits.frameSamples * 1_000) / limits.sampleRate;
    if (hz !== null && (toneMs === 0 || Math.abs(hz - toneHz) <= limits.driftHz)) {
      toneHz = hz;
      toneMs += frameMs;
      return false;
    }
    const beep = toneMs >= limits.shortestMs && toneMs <= limits.longestMs;
    toneMs = hz === null ? 0 : frameMs;
    toneHz = hz ?? 0;
    return beep;
  };
  return {
    push(mulaw) {
      let heard = false;
      for (const sample of decodeMulaw(mulaw)) {
        frame[filled] = sample;
        filled += 1;
        if (filled < limits.frameSamples) continue;
        filled = 0;
        heard = endFrame() || heard;
      }
      return heard;
    },
  };
}

/** A sine obeys x[n-1] + x[n+1] = 2 cos(w) x[n]; the best w and its error are sums away. */
function steadyToneHz(frame: Int16Array): number | null {
  let cross = 0;
  let power = 0;
  let neighbours = 0;
  for (let index = 1; index < frame.length - 1; index += 1) {
    const sample = frame[index] ?? 0;
    const sum = (frame[index - 1] ?? 0) + (frame[index + 1] ?? 0);
    cross += sample * sum;
    power += sample * sample;
    neighbours += sum * sum;
  }
  if (power / frame.length < limits.quietMeanSquare) return null;
  const twoCosine = cross / power;
  const residual = neighbours - twoCosine * cross;
  if (residual > limits.residualShare * 4 * power || Math.abs(twoCosine) >= 2) return null;
  const hz = (Math.acos(twoCosine / 2) * limits.sampleRate) / (2 * Math.PI);
  return hz >= limits.lowestHz && hz <= limits.highestHz ? hz : null;
}
