// Whether a frame is a pure tone of an answering machine. Pure.
import { decodeMulaw } from '../../../../platform/mulaw.ts';

const toneHz = 1_000;
const sampleRate = 8_000;

/** Goertzel: the share of the frame's energy that stands at the tone's frequency. */
export function isBeep(frame: Uint8Array): boolean {
  const coefficient = 2 * Math.cos((2 * Math.PI * toneHz) / sampleRate);
  const pcm = decodeMulaw(frame);
  let last = 0;
  let beforeLast = 0;
  let energy = 0;
  for (const sample of pcm) {
    const next = sample + coefficient * last - beforeLast;
    beforeLast = last;
    last = next;
    energy += sample * sample;
  }
  const power = last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
  return energy > 0 && (2 * power) / (pcm.length * energy) > 0.9;
}
