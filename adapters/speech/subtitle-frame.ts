// How one word is written into the low bits of its own samples, one bit each, highest first. Pure.
// Marker (6 bytes), length of the text (1), how long the word was spoken in ms (2), text in UTF-8,
// CRC-16 of everything after the marker (2).

export const markerHigh = 0x7e1d;
export const markerLow = 0xb2c4_9a53;

export const frameLimits = {
  wordBytesMax: 255,
  markerBytes: 6,
  /** Length and duration, between marker and text. */
  headBytes: 3,
  crcBytes: 2,
} as const;

export interface SubtitleWord {
  readonly text: string;
  readonly durationMs: number;
}

/** Null for a word with nothing in it. A text that is too long loses its end. */
export function writeSubtitleFrame(word: SubtitleWord): Uint8Array | null {
  const text = new Uint8Array(frameLimits.wordBytesMax);
  const { written } = new TextEncoder().encodeInto(word.text, text);
  if (written === 0) return null;
  const { markerBytes, headBytes, crcBytes } = frameLimits;
  const frame = new Uint8Array(markerBytes + headBytes + written + crcBytes);
  const view = new DataView(frame.buffer);
  view.setUint16(0, markerHigh);
  view.setUint32(2, markerLow);
  view.setUint8(markerBytes, written);
  view.setUint16(markerBytes + 1, Math.max(0, Math.min(0xffff, Math.round(word.durationMs))));
  frame.set(text.subarray(0, written), markerBytes + headBytes);
  const crcAt = frame.length - crcBytes;
  view.setUint16(crcAt, crc16(frame.subarray(markerBytes, crcAt)));
  return frame;
}

/** Takes what follows the marker; null when it is not a whole, undamaged frame. */
export function readSubtitleFrame(body: Uint8Array): SubtitleWord | null {
  const { headBytes, crcBytes } = frameLimits;
  const crcAt = body.length - crcBytes;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  if (crcAt <= headBytes || view.getUint16(crcAt) !== crc16(body.subarray(0, crcAt))) return null;
  try {
    return {
      text: strictUtf8.decode(body.subarray(headBytes, crcAt)),
      durationMs: view.getUint16(1),
    };
  } catch {
    return null;
  }
}

/** ignoreBOM keeps a byte order mark as text, so that every word comes back as it was. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** CRC-16/CCITT-FALSE. */
function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0);
    crc &= 0xffff;
  }
  return crc;
}
