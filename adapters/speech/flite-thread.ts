// Owns the speaking thread: starts it on first use, replaces it when it hangs or dies.
import { Worker } from 'node:worker_threads';
import type { SpeechChunk } from '../../domain/calls/speech.ts';
import type { FliteVoice } from './flite-voice.ts';
import type { RenderReply, RenderRequest } from './flite-worker.ts';

const limits = {
  /** No sentence takes a tenth of this, even on a busy machine. */
  silentThreadMs: 20_000,
  waitingMax: 2_000,
} as const;

interface Waiting {
  readonly resolve: (chunk: SpeechChunk) => void;
  readonly reject: (error: Error) => void;
}

export class FliteThread implements AsyncDisposable {
  #worker: Worker | null = null;
  #watchdog: NodeJS.Timeout | null = null;
  #closed = false;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** Sentences are rendered one after the other. Rejects when flite cannot speak this one. */
  render(voice: FliteVoice, sentence: string): Promise<SpeechChunk> {
    if (this.#closed) return Promise.reject(new Error('flite is closed'));
    if (this.#waiting.size >= limits.waitingMax)
      return Promise.reject(new Error('flite has too much to say'));
    const worker = (this.#worker ??= this.#startWorker());
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, voice, sentence } satisfies RenderRequest);
      if (this.#watchdog === null) this.#watch();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.#stopWorker(new Error('flite was closed'));
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./flite-worker.ts', import.meta.url));
    worker.on('message', (reply: RenderReply) => this.#settle(reply));
    worker.on('error', (cause) => this.#lose(worker, new Error('flite failed', { cause })));
    worker.on('exit', () => this.#lose(worker, new Error('flite ended')));
    return worker;
  }

  #settle(reply: RenderReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    this.#watch();
    switch (reply.kind) {
      case 'spoken':
        return waiting?.resolve(reply.chunk);
      case 'failed':
        return waiting?.reject(new Error(reply.message));
    }
  }

  /** This file owns the watchdog timer; an idle thread has none and keeps no process alive. */
  #watch(): void {
    if (this.#watchdog) clearTimeout(this.#watchdog);
    this.#watchdog = null;
    if (this.#waiting.size === 0) return this.#worker?.unref();
    this.#watchdog = setTimeout(
      () => void this.#stopWorker(new Error('flite did not answer')),
      limits.silentThreadMs,
    );
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker === worker) void this.#stopWorker(error);
  }

  async #stopWorker(error: Error): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#watch();
    for (const { reject } of waiting) reject(error);
    await worker?.terminate();
  }
}
