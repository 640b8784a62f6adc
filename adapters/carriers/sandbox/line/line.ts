// The two directions of one answered call, 20 ms at a time.
import { mulawBytesPerMs, mulawSilence } from '../../../../platform/mulaw.ts';
import type { Party } from '../people/party.ts';
import type { MachineDetection } from './machine-detection.ts';
import type { AnsweredBy } from './machine-detection.ts';
import type { CustomerMedia } from './customer-media.ts';
import { frameMs } from './ticker.ts';

export interface LineOptions {
  readonly party: Party;
  readonly detection: MachineDetection | null;
  detected(answeredBy: AnsweredBy, afterMs: number): void;
}

export class Line implements Disposable {
  readonly #options: LineOptions;
  readonly #heard = new Uint8Array(frameMs * mulawBytesPerMs);
  #detection: MachineDetection | null;
  #stream: CustomerMedia | null = null;
  #sinceAnswerMs = 0;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#detection = options.detection;
  }

  get stream(): CustomerMedia | null {
    return this.#stream;
  }

  /** Null while no stream runs: the person then hears silence. */
  connect(stream: CustomerMedia | null): void {
    this.#stream = stream;
  }

  tick(): void {
    const stream = this.#stream?.isOpen ? this.#stream : null;
    if (stream) stream.playInto(this.#heard);
    else this.#heard.fill(mulawSilence);
    const said = this.#options.party.exchange(this.#heard, this.#sinceAnswerMs);
    this.#sinceAnswerMs += frameMs;
    stream?.sendAudio(said);
    this.#detect(said);
  }

  [Symbol.dispose](): void {
    this.#options.party.leave();
  }

  #detect(said: Uint8Array): void {
    const answeredBy = this.#detection?.listen(said);
    if (!this.#detection || !answeredBy) return;
    const { heardMs } = this.#detection;
    this.#detection = null;
    this.#options.detected(answeredBy, heardMs);
  }
}
