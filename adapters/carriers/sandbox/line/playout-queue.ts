// Audio that waits to be played to the person, and the marks that tell how far it got.
import { mulawBytesPerMs, mulawSilence } from '../../../../platform/mulaw.ts';

const limits = { bytesMax: 600_000 * mulawBytesPerMs, marksMax: 10_000 } as const;

export class PlayoutQueue {
  #chunks: Uint8Array[] = [];
  /** Bytes of the first chunk that were played. */
  #played = 0;
  /** Since the stream began; their difference is what waits. */
  #playedBytes = 0;
  #queuedBytes = 0;
  #marks: { readonly name: string; readonly at: number }[] = [];

  /** False when ten minutes of audio already wait. */
  push(mulaw: Uint8Array): boolean {
    if (this.#queuedBytes - this.#playedBytes + mulaw.length > limits.bytesMax) return false;
    this.#chunks.push(mulaw);
    this.#queuedBytes += mulaw.length;
    return true;
  }

  /** The marks that have been reached: this one, too, if nothing waits. */
  mark(name: string): string[] {
    if (this.#marks.length < limits.marksMax) this.#marks.push({ name, at: this.#queuedBytes });
    return this.#takeReachedMarks();
  }

  /** Drops the audio; every mark counts as reached. */
  clear(): string[] {
    this.#chunks = [];
    this.#played = 0;
    this.#playedBytes = this.#queuedBytes;
    return this.#takeReachedMarks();
  }

  /** Fills the frame, with silence where nothing waits, and returns the marks it passed. */
  play(frame: Uint8Array): string[] {
    let filled = 0;
    for (let chunk = this.#chunks[0]; chunk && filled < frame.length; chunk = this.#chunks[0]) {
      const part = chunk.subarray(this.#played, this.#played + frame.length - filled);
      frame.set(part, filled);
      filled += part.length;
      this.#played += part.length;
      if (this.#played < chunk.length) break;
      this.#chunks.shift();
      this.#played = 0;
    }
    frame.fill(mulawSilence, filled);
    this.#playedBytes += filled;
    return this.#takeReachedMarks();
  }

  #takeReachedMarks(): string[] {
    const reached = this.#marks.findIndex((mark) => mark.at > this.#playedBytes);
    const count = reached === -1 ? this.#marks.length : reached;
    return this.#marks.splice(0, count).map((mark) => mark.name);
  }
}
