// Signed requests to the customer: status callbacks, machine detection, TwiML.
import type { Clock } from '../../../platform/clock.ts';
import { randomOctets } from '../../../platform/ids.ts';
import type { SandboxLog } from './sandbox-log.ts';
import { signRequest } from './sign-request.ts';

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
  readonly fields: Readonly<Record<string, string>>;
}

export type CallbackAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'failed' };

export interface CallbackSettings {
  readonly authToken: string;
  readonly clock: Clock;
  readonly log: SandboxLog;
  /** Ends what is under way; nobody waits for callbacks of a network that is gone. */
  readonly closing: AbortSignal;
}

export class Callbacks implements AsyncDisposable {
  readonly #authToken: string;
  readonly #clock: Clock;
  readonly #log: SandboxLog;
  readonly #open = new Set<Promise<unknown>>();
  readonly #closing: AbortSignal;

  constructor(settings: CallbackSettings) {
    this.#closing = settings.closing;
    this.#authToken = settings.authToken;
    this.#clock = settings.clock;
    this.#log = settings.log;
  }

  /** Delivers with one retry; never rejects. Every copy and retry carries the same token. */
  async deliver(
    request: CallbackRequest,
    { copies = 1, delayMs = 0 }: { copies?: number; delayMs?: number } = {},
  ): Promise<CallbackAnswer> {
    const token = newIdempotencyToken();
    const delivery = this.#deliverCopies(request, token, copies, delayMs);
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
    token: string,
    copies: number,
    delayMs: number,
  ): Promise<CallbackAnswer> {
    if (delayMs > 0) await this.#clock.sleep(delayMs, this.#closing);
    let answer: CallbackAnswer = { kind: 'failed' };
    for (let copy = 0; copy < copies; copy += 1)
      answer = await this.#deliverWithRetry(request, token);
    return answer;
  }

  async #deliverWithRetry(request: CallbackRequest, token: string): Promise<CallbackAnswer> {
    for (let attempt = 1; !this.#closing.aborted; attempt += 1) {
      const answer = await this.#attempt(request, token);
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

  async #attempt(request: CallbackRequest, token: string): Promise<CallbackAnswer> {
    const timeout = AbortSignal.timeout(limits.answerTimeoutMs);
    try {
      const response = await fetch(urlOf(request), {
        method: request.method,
        headers: {
          'X-Twilio-Signature': this.#signatureOf(request),
          'I-Twilio-Idempotency-Token': token,
        },
        body: request.method === 'POST' ? new URLSearchParams(request.fields) : null,
        redirect: 'manual',
        signal: AbortSignal.any([timeout, this.#closing]),
      });
      return { kind: 'answered', status: response.status, body: await readBody(response) };
    } catch {
      return { kind: 'failed' };
    }
  }

  #signatureOf(request: CallbackRequest): string {
    const url = urlOf(request);
    return signRequest(this.#authToken, url, request.method === 'POST' ? request.fields : {});
  }
}

/** A fragment only tunes the sender, so it is neither sent nor signed. */
function urlOf({ url, method, fields }: CallbackRequest): string {
  const [address = url] = url.split('#', 1);
  if (method === 'POST') return address;
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(fields).toString()}`;
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

function newIdempotencyToken(): string {
  return Buffer.from(randomOctets(16)).toString('hex');
}
