// What the frames of all carriers share: µ-law audio in base64, numbered and timed.
import type { ParsedFrame } from './media-codec.ts';

const limits = {
  /** One second of audio; a carrier sends 20 ms. */
  largestPayloadCharacters: 10_672,
} as const;

export function readAudioFrame(
  chunk: string | number | undefined,
  timestamp: string | number | undefined,
  payload = '',
): ParsedFrame {
  const atMs = Number(timestamp);
  if (!Number.isSafeInteger(atMs * 8)) return { kind: 'malformed', why: 'media: timestamp' };
  if (payload.length > limits.largestPayloadCharacters)
    return { kind: 'malformed', why: 'media: payload too large' };
  const mulaw = Buffer.from(payload, 'base64');
  if (mulaw.length !== decodedLength(payload)) return { kind: 'malformed', why: 'media: payload' };
  return { kind: 'audio', mulaw, atMs, chunk: Number(chunk) };
}

export function toBase64(octets: Uint8Array): string {
  return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString('base64');
}

/** Node decodes broken base64 to fewer octets instead of failing. */
function decodedLength(base64: string): number {
  if (base64.length % 4 !== 0) return -1;
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}
