// Keeps what was said lately, up to a number of bytes; what was used longest ago goes first.
import type { SpeechChunk } from '../../domain/calls/speech.ts';

const limits = {
  /** About 50 minutes of speech. */
  bytesMax: 24 * 1024 * 1024,
  /** What an entry costs besides its audio. */
  entryBytes: 512,
} as const;

export class SpeechCache {
  readonly #chunks = new Map<string, Promise<SpeechChunk>>();
  readonly #bytes = new Map<string, number>();
  #totalBytes = 0;

  /** Renders once, also when several ask at the same time. A failure is not kept. */
  get(key: string, render: () => Promise<SpeechChunk>): Promise<SpeechChunk> {
    const known = this.#chunks.get(key);
    if (known) {
      this.#chunks.delete(key);
      this.#chunks.set(key, known);
      return known;
    }
    const chunk = render();
    this.#chunks.set(key, chunk);
    chunk.then(
      ({ mulaw }) => this.#count(key, mulaw.length + limits.entryBytes),
      () => this.#chunks.delete(key),
    );
    return chunk;
  }

  #count(key: string, bytes: number): void {
    this.#bytes.set(key, bytes);
    this.#totalBytes += bytes;
    for (const oldest of this.#chunks.keys()) {
      if (this.#totalBytes <= limits.bytesMax) return;
      this.#totalBytes -= this.#bytes.get(oldest) ?? 0;
      this.#bytes.delete(oldest);
      this.#chunks.delete(oldest);
    }
  }
}
