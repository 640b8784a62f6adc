// The audio of one utterance as its pieces arrive, addressed by octet, freed from the front.

export interface SpokenAudio {
  /** Everything ever appended, released or not. */
  readonly length: number;
  append(mulaw: Uint8Array): void;
  /** Shares memory with the piece unless the range crosses two. */
  slice(from: number, to: number): Uint8Array;
  /** Forgets whole pieces that end at or before this octet. */
  release(before: number): void;
}

export function createSpokenAudio(): SpokenAudio {
  const pieces: { readonly from: number; readonly mulaw: Uint8Array }[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(mulaw) {
      if (mulaw.length === 0) return;
      pieces.push({ from: length, mulaw });
      length += mulaw.length;
    },
    slice(from, to) {
      const parts: Uint8Array[] = [];
      for (const piece of pieces) {
        const start = Math.max(from - piece.from, 0);
        const end = Math.min(to - piece.from, piece.mulaw.length);
        if (start < end) parts.push(piece.mulaw.subarray(start, end));
      }
      const [only] = parts;
      return parts.length === 1 && only ? only : Buffer.concat(parts);
    },
    release(before) {
      while (pieces[0] && pieces[0].from + pieces[0].mulaw.length <= before) pieces.shift();
    },
  };
}
