// What somebody says, cut into frames.
import { mulawBytesPerMs } from '../../../../platform/mulaw.ts';
import type { FliteVoice } from '../../../speech/flite-voice.ts';
import { PlayoutQueue } from '../line/playout-queue.ts';
import { frameMs } from '../line/ticker.ts';
import type { Phone } from './party.ts';

export class Mouth {
  readonly #phone: Phone;
  readonly #voice: FliteVoice;
  readonly #queue = new PlayoutQueue();
  readonly #frame = new Uint8Array(frameMs * mulawBytesPerMs);
  readonly #closing = new AbortController();
  /** Texts that are still being turned into speech. */
  #rendering = 0;
  #waitingBytes = 0;

  constructor(phone: Phone, voice: FliteVoice) {
    this.#phone = phone;
    this.#voice = voice;
  }

  get isIdle(): boolean {
    return this.#rendering === 0 && this.#waitingBytes === 0;
  }

  say(text: string, atMs: number): void {
    this.#phone.note({ who: 'person', text, atMs });
    this.#rendering += 1;
    void this.#render(text);
  }

  play(mulaw: Uint8Array): void {
    if (this.#queue.push(mulaw)) this.#waitingBytes += mulaw.length;
  }

  /** The same array each time, filled anew. */
  nextFrame(): Uint8Array {
    this.#queue.play(this.#frame);
    this.#waitingBytes = Math.max(0, this.#waitingBytes - this.#frame.length);
    return this.#frame;
  }

  close(): void {
    this.#closing.abort();
  }

  async #render(text: string): Promise<void> {
    const { voice, log } = this.#phone.network;
    try {
      const { signal } = this.#closing;
      for await (const { mulaw } of voice.speak(text, { voice: this.#voice, signal }))
        this.play(mulaw);
    } catch (error) {
      log.error({ err: error }, 'sandbox person could not speak');
    } finally {
      this.#rendering -= 1;
    }
  }
}
