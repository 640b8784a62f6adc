// Encodes a call's raw audio as a stereo MP3: the person left, the agent right.
import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createMp3Encoder } from 'wasm-media-encoders';
import { decodeMulaw, mulawBytesPerMs } from '../../platform/mulaw.ts';
import { blockOctets, halfBlockOctets, invertOctets, samplesIn } from './raw-recording.ts';

const limits = {
  sampleRate: 8_000,
  /** The lowest rate of MPEG-2, which more players know than the 8 kHz of its 2.5 extension. */
  outputSampleRate: 16_000,
  bitrateKbps: 48,
  /** About 20 ms of work; other jobs of the process run in between. */
  blocksPerPiece: 10,
  fullScale: 32_768,
} as const;

export interface MixedRecording {
  readonly durationMs: number;
  readonly sizeBytes: number;
}

/** Reads and writes piece by piece; the MP3 appears under its name only when it is complete. */
export async function mixRecording(rawPath: string, outPath: string): Promise<MixedRecording> {
  const partialPath = `${outPath}.partial`;
  try {
    await using raw = await open(rawPath, 'r');
    const samples = samplesIn((await raw.stat()).size);
    const sizeBytes = await encodeInto(partialPath, raw, samples);
    await rename(partialPath, outPath);
    return { durationMs: samples / mulawBytesPerMs, sizeBytes };
  } catch (error) {
    await rm(partialPath, { force: true });
    throw error;
  }
}

async function encodeInto(path: string, raw: FileHandle, samples: number): Promise<number> {
  await using out = await open(path, 'w', 0o600);
  const encoder = await createMp3Encoder();
  const { sampleRate, outputSampleRate, bitrateKbps } = limits;
  encoder.configure({ channels: 2, sampleRate, outputSampleRate, bitrate: bitrateKbps });
  let sizeBytes = 0;
  for await (const [person, agent] of readPieces(raw, samples)) {
    // The encoder hands out its own memory, so it is written before the next piece is encoded.
    sizeBytes += await append(out, encoder.encode([person, agent]));
  }
  sizeBytes += await append(out, encoder.finalize());
  await out.datasync();
  return sizeBytes;
}

async function* readPieces(
  raw: FileHandle,
  samples: number,
): AsyncGenerator<readonly [person: Float32Array, agent: Float32Array]> {
  const piece = Buffer.alloc(limits.blocksPerPiece * blockOctets);
  const samplesPerPiece = limits.blocksPerPiece * halfBlockOctets;
  for (let first = 0; first < samples; first += samplesPerPiece) {
    // What a crashed writer never wrote reads as zero, which is silence.
    piece.fill(0);
    await readFully(raw, piece, (first / halfBlockOctets) * blockOctets);
    invertOctets(piece);
    const count = Math.min(samplesPerPiece, samples - first);
    yield [takeTrack(piece, 0, count), takeTrack(piece, halfBlockOctets, count)];
  }
}

function takeTrack(piece: Uint8Array, offset: number, count: number): Float32Array {
  const linear = new Float32Array(count);
  for (let done = 0; done < count; done += halfBlockOctets) {
    const from = (done / halfBlockOctets) * blockOctets + offset;
    const part = piece.subarray(from, from + Math.min(halfBlockOctets, count - done));
    linear.set(
      Float32Array.from(decodeMulaw(part), (sample) => sample / limits.fullScale),
      done,
    );
  }
  return linear;
}

async function readFully(file: FileHandle, into: Buffer, position: number): Promise<void> {
  for (let done = 0; done < into.length;) {
    const { bytesRead } = await file.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) return;
    done += bytesRead;
  }
}

async function append(file: FileHandle, octets: Uint8Array): Promise<number> {
  await file.appendFile(octets);
  return octets.length;
}
