// What <Say> speaks to whoever is on the line.
import type { Network } from '../network.ts';
import type { LineSource } from './line.ts';
import { PlayoutQueue } from './playout-queue.ts';

const voice = 'slt';

export class Announcement implements LineSource {
  readonly isOpen = true;
  /** Resolves when it was heard to its end. */
  readonly heard: Promise<void>;
  readonly #queue = new PlayoutQueue();
  readonly #resolveHeard: () => void;
  #waitingBytes = 0;
  #rendered = false;

  constructor(network: Network, text: string, over: AbortSignal) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.heard = promise;
    this.#resolveHeard = resolve;
    void this.#render(network, text, over);
  }

  playInto(frame: Uint8Array): void {
    this.#queue.play(frame);
    this.#waitingBytes = Math.max(0, this.#waitingBytes - frame.length);
    if (this.#rendered && this.#waitingBytes === 0) this.#resolveHeard();
  }

  /** Nobody listens while it plays. */
  sendAudio(): void {}

  sendDigit(): void {}

  async #render(network: Network, text: string, signal: AbortSignal): Promise<void> {
    try {
      for await (const { mulaw } of network.voice.speak(text, { voice, signal }))
        if (this.#queue.push(mulaw)) this.#waitingBytes += mulaw.length;
    } catch (error) {
      network.log.error({ err: error }, 'sandbox announcement could not be spoken');
    } finally {
      this.#rendered = true;
      if (this.#waitingBytes === 0) this.#resolveHeard();
    }
  }
}
