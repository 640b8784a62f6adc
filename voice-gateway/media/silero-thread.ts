// Owns the thread of the voice activity model: one batch at a time, replaced when it dies.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SileroReply, WindowBatch } from './silero-worker.ts';

const limits = {
  /** Loading the model takes a tenth of this. */
  startMs: 15_000,
} as const;

/** Every batch is answered once; with null when the thread died over it, and all memory with it. */
export type HearProbabilities = (probabilities: Float32Array | null) => void;

export class SileroThread implements AsyncDisposable {
  readonly #heard: HearProbabilities;
  #worker: Worker | null = null;
  #busy = false;

  constructor(heard: HearProbabilities) {
    this.#heard = heard;
  }

  /** Rejects when the model cannot be loaded. */
  async start(): Promise<void> {
    const worker = this.#startWorker();
    await once(worker, 'message', { signal: AbortSignal.timeout(limits.startMs) });
    worker.unref();
  }

  get busy(): boolean {
    return this.#busy;
  }

  run(batch: WindowBatch): void {
    this.#busy = true;
    const worker = this.#worker ?? this.#startWorker();
    worker.unref();
    worker.postMessage(batch, [batch.lines.buffer, batch.fresh.buffer, batch.windows.buffer]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#busy = false;
    await worker?.terminate();
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./silero-worker.ts', import.meta.url));
    this.#worker = worker;
    worker.on('message', (reply: SileroReply) => {
      if (reply.kind === 'heard') this.#settle(reply.probabilities);
    });
    // An error without a listener would end the process; 'exit' follows it and does the work.
    worker.on('error', () => {});
    worker.on('exit', () => this.#lose(worker));
    return worker;
  }

  #lose(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#busy) this.#settle(null);
  }

  #settle(probabilities: Float32Array | null): void {
    this.#busy = false;
    this.#heard(probabilities);
  }
}
