// The layout of a call's raw audio on disk, shared by the recorder that writes and the mixer that reads.
//
// Blocks of one second: the person's half, then the agent's half. Octets are inverted µ-law, so that
// holes in the file, which read as zero, are silence. The size alone tells the duration.
import { mulawBytesPerMs } from '../../platform/mulaw.ts';

export const halfBlockOctets = 1_000 * mulawBytesPerMs;
export const blockOctets = 2 * halfBlockOctets;

export type RecordingTrack = 'person' | 'agent';

/** Where a track's audio stands in the file; the sample must begin a block. */
export function fileOffset(track: RecordingTrack, blockIndex: number): number {
  return blockIndex * blockOctets + (track === 'agent' ? halfBlockOctets : 0);
}

/** The size of a finished file: its last block ends with the last sample of the agent's half. */
export function finishedSize(samples: number): number {
  const rest = samples % halfBlockOctets;
  const blocks = (samples - rest) / halfBlockOctets;
  return blocks * blockOctets + (rest === 0 ? 0 : halfBlockOctets + rest);
}

/** Also reads a file whose writer died: there the last half block may be the person's. */
export function samplesIn(sizeOctets: number): number {
  const rest = sizeOctets % blockOctets;
  const blocks = (sizeOctets - rest) / blockOctets;
  const last = rest > halfBlockOctets ? rest - halfBlockOctets : rest;
  return blocks * halfBlockOctets + last;
}

/** Turns µ-law into what the file holds, and back. */
export function invertOctets(octets: Uint8Array): void {
  for (let index = 0; index < octets.length; index += 1) octets[index] = ~(octets[index] ?? 0);
}
