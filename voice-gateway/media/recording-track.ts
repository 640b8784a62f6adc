// One side of a recording: gathers audio into one-second halves of blocks, each written once.
import { mulawBytesPerMs, mulawSilence } from '../../platform/mulaw.ts';
import { fileOffset, halfBlockOctets, invertOctets } from '../../domain/calls/raw-recording.ts';
import type { RecordingTrack } from '../../domain/calls/raw-recording.ts';

export type WriteOctets = (octets: Uint8Array, fileOffset: number) => void;

export interface TrackWriter {
  /** Overlap with what was placed before is cut off; gaps stay silent. */
  place(mulaw: Uint8Array, atMs: number): void;
  /** Hands the unfinished block to the writer; nothing may be placed afterwards. */
  finish(): void;
  /** Right after the last placed sample. */
  readonly endSample: number;
}

/** Nothing that sounded before the gate is ever copied. */
export function createTrackWriter(
  track: RecordingTrack,
  gateMs: number,
  write: WriteOctets,
): TrackWriter {
  let block = new Uint8Array(0);
  let blockIndex = 0;
  let end = 0;

  const flush = () => {
    if (block.length === 0) return;
    invertOctets(block);
    write(block, fileOffset(track, blockIndex));
    block = new Uint8Array(0);
  };
  const openBlock = (index: number) => {
    if (index === blockIndex && block.length > 0) return;
    flush();
    blockIndex = index;
    block = new Uint8Array(halfBlockOctets).fill(mulawSilence);
  };

  return {
    place(mulaw, atMs) {
      const from = Math.round((atMs - gateMs) * mulawBytesPerMs);
      let read = Math.max(0, end - from);
      while (read < mulaw.length) {
        const index = Math.floor((from + read) / halfBlockOctets);
        const within = (from + read) % halfBlockOctets;
        const count = Math.min(mulaw.length - read, halfBlockOctets - within);
        openBlock(index);
        block.set(mulaw.subarray(read, read + count), within);
        read += count;
        end = from + read;
      }
    },
    finish: flush,
    get endSample() {
      return end;
    },
  };
}
