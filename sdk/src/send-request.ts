// One logical request: attempts, time-outs and waits. The package stands alone, so it owns its
// timers and its jitter.
import { ApiError, ConnectionError, TimeoutError } from './errors.ts';
import { errorCodes } from './generated/api.ts';

const limits = { retryDelayMaxMs: 8_000, messageMaxChars: 200 } as const;

export interface Transport {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly maxRetryAfterSeconds: number;
  readonly fetch: typeof fetch;
}

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal: AbortSignal | undefined;
}

/**
 * Every request here may be repeated: reads change nothing, and orders carry an Idempotency-Key.
 */
export async function sendRequest<Body>(transport: Transport, request: ApiRequest): Promise<Body> {
  for (let retries = 0; ; retries += 1) {
    const outcome = await attempt(transport, request);
    // The contract is what says that a successful answer has this shape.
    if (outcome.kind === 'answered') return outcome.body as Body;
    const waitMs =
      retries < transport.maxRetries ? waitBeforeRetry(outcome.error, retries, transport) : null;
    if (waitMs === null) throw outcome.error;
    await sleep(waitMs, request.signal);
  }
}

type Outcome =
  | { readonly kind: 'answered'; readonly body: unknown }
  | { readonly kind: 'failed'; readonly error: ApiError | ConnectionError };

async function attempt(transport: Transport, request: ApiRequest): Promise<Outcome> {
  request.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(transport.timeoutMs);
  try {
    const response = await transport.fetch(transport.baseUrl + request.path, {
      method: request.method,
      headers: {
        ...transport.headers,
        ...request.headers,
        ...(request.body && { 'content-type': 'application/json' }),
      },
      ...(request.body && { body: JSON.stringify(request.body) }),
      redirect: 'manual',
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
    });
    return readAnswer(response, await response.text());
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (timeout.aborted)
      return failed(new TimeoutError(`No answer within ${transport.timeoutMs} ms.`, { cause }));
    return failed(new ConnectionError('The request did not complete.', { cause }));
  }
}

function readAnswer(response: Response, text: string): Outcome {
  const body = parse(text);
  if (response.ok && isObject(body)) return { kind: 'answered', body };
  const known = isObject(body) && typeof body['error'] === 'string';
  const code = known ? String(body['error']) : 'unexpected_response';
  const message = known ? String(body['message']) : text.slice(0, limits.messageMaxChars);
  return failed(
    new ApiError(`${response.status} ${code}: ${message}`, {
      code,
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryAfterSeconds: readRetryAfter(response.headers),
    }),
  );
}

/**
 * Decided by the code, as no 409 of this API passes on a second try; null when the error is final.
 */
function waitBeforeRetry(
  error: ApiError | ConnectionError,
  retries: number,
  transport: Transport,
): number | null {
  const doubled = Math.min(transport.retryDelayMs * 2 ** retries, limits.retryDelayMaxMs);
  const backoffMs = doubled * (1 - Math.random() * 0.25);
  if (error instanceof ConnectionError) return backoffMs;
  if (!mayPassLater(error)) return null;
  if (error.retryAfterSeconds === undefined) return backoffMs;
  return error.retryAfterSeconds <= transport.maxRetryAfterSeconds
    ? error.retryAfterSeconds * 1000
    : null;
}

function mayPassLater({ code, status, retryAfterSeconds }: ApiError): boolean {
  const advice = isKnownCode(code) ? errorCodes[code].retry : null;
  switch (advice) {
    case 'never':
    case 'after_change':
      return false;
    case 'after_wait':
      // Without a time the wait may be hours.
      return retryAfterSeconds !== undefined;
    case 'same_request':
      return true;
    case null:
      return status >= 500 || (status === 429 && retryAfterSeconds !== undefined);
  }
}

function isKnownCode(code: string): code is keyof typeof errorCodes {
  return Object.hasOwn(errorCodes, code);
}

function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(error: ApiError | ConnectionError): Outcome {
  return { kind: 'failed', error };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rejects with the signal's reason as soon as it is aborted. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
