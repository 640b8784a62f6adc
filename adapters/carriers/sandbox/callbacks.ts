// Requests to the customer: callbacks of every protocol, retried, copied and held back as a fault wants.
import type { Clock } from '../../../platform/clock.ts';
import type { SandboxLog } from './sandbox-log.ts';
import type { CallbackFault } from './fault-plan.ts';

const limits = {
  answerTimeoutMs: 15_000,
  /** Callbacks are retried once, as the real network does by default. */
  attempts: 2,
  retryDelayMs: 500,
  answerBytesMax: 64 * 1024,
} as const;

export interface CallbackRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Null for GET. */
  readonly body: string | null;
  /** Made anew for each attempt: some protocols sign the time. */
  headers(): Readonly<Record<string, string>>;
}

export type CallbackAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'failed' };

export interface CallbackSettings {
  readonly clock: Clock;
  readonly log: SandboxLog;
  /** Ends what is under way; nobody waits for callbacks of a network that is gone. */
  readonly closing: AbortSignal;
}

export class Callbacks implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #log: SandboxLog;
  readonly #open = new Set<Promise<unknown>>();
  readonly #closing: AbortSignal;

  constructor(settings: CallbackSettings) {
    this.#closing = settings.closing;
    this.#clock = settings.clock;
    this.#log = settings.log;
  }

  /** Delivers with one retry; never rejects. Every copy and retry is the same request. */
  async deliver(
    request: CallbackRequest,
    { copies = 1, delayMs = 0 }: { copies?: number; delayMs?: number } = {},
  ): Promise<CallbackAnswer> {
    const delivery = this.#deliverCopies(request, copies, delayMs);
    this.#open.add(delivery);
    try {
      return await delivery;
    } finally {
      this.#open.delete(delivery);
    }
  }

  /** To be called once `closing` is aborted. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#open);
  }

  async #deliverCopies(
    request: CallbackRequest,
    copies: number,
    delayMs: number,
  ): Promise<CallbackAnswer> {
    if (delayMs > 0) await this.#clock.sleep(delayMs, this.#closing);
    let answer: CallbackAnswer = { kind: 'failed' };
    for (let copy = 0; copy < copies; copy += 1) answer = await this.#deliverWithRetry(request);
    return answer;
  }

  async #deliverWithRetry(request: CallbackRequest): Promise<CallbackAnswer> {
    for (let attempt = 1; !this.#closing.aborted; attempt += 1) {
      const answer = await this.#attempt(request);
      if (answer.kind === 'answered' && answer.status < 500) return answer;
      if (attempt < limits.attempts) {
        await this.#clock.sleep(limits.retryDelayMs, this.#closing);
        continue;
      }
      this.#log.warn({ attempts: attempt }, 'sandbox callback was not taken');
      return answer;
    }
    return { kind: 'failed' };
  }

  async #attempt(request: CallbackRequest): Promise<CallbackAnswer> {
    const timeout = AbortSignal.timeout(limits.answerTimeoutMs);
    try {
      const response = await fetch(request.url, {
        method: request.method,
        headers: request.headers(),
        body: request.body,
        redirect: 'manual',
        signal: AbortSignal.any([timeout, this.#closing]),
      });
      return { kind: 'answered', status: response.status, body: await readBody(response) };
    } catch {
      return { kind: 'failed' };
    }
  }
}

async function readBody(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > limits.answerBytesMax) throw new Error('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** The callbacks of one call, sent as its fault wants them sent. */
export interface CallbackLine {
  /** Told in order; the last one lets go of what a fault held back. */
  inOrder(request: CallbackRequest, isLast: boolean): Promise<void>;
  aside(request: CallbackRequest): Promise<void>;
}

export function openCallbackLine(callbacks: Callbacks, fault: CallbackFault): CallbackLine {
  const held: CallbackRequest[] = [];
  const aside = async (request: CallbackRequest) => {
    if (fault.send !== 'never') await callbacks.deliver(request, fault);
  };
  return {
    aside,
    async inOrder(request, isLast) {
      if (fault.send !== 'reversed') return aside(request);
      held.push(request);
      if (!isLast) return;
      for (const late of held.toReversed()) await aside(late);
    },
  };
}
