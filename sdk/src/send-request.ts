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

/** One answer as it came over the wire, whatever becomes of it. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Quote it when asking for help. */
  readonly requestId: string | undefined;
  /** The body as text; null when it is a stream. */
  readonly text: string | null;
}

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal: AbortSignal | undefined;
  readonly onResponse: ((response: RawResponse) => void) | undefined;
}

/** A file on its way. */
export interface Download {
  /** Fails when the connection breaks before the end. */
  readonly stream: ReadableStream<Uint8Array>;
  readonly contentType: string;
  /** Of this answer: the whole file, or the asked part of it. */
  readonly sizeBytes: number;
  /** Changes when the file does. */
  readonly etag: string | undefined;
}

/**
 * Every request here may be repeated: reads change nothing, and orders carry an Idempotency-Key.
 */
export async function sendRequest<Body>(transport: Transport, request: ApiRequest): Promise<Body> {
  // The contract is what says that a successful answer has this shape.
  return (await sendUntilAnswered(transport, request, readJson)) as Body;
}

/** As sendRequest, for a file; only the wait for its first octet is limited and repeated. */
export function download(transport: Transport, request: ApiRequest): Promise<Download> {
  return sendUntilAnswered(transport, request, readFile);
}

type Reader<Answer> = (response: Response, request: ApiRequest) => Promise<Outcome<Answer>>;

async function sendUntilAnswered<Answer>(
  transport: Transport,
  request: ApiRequest,
  read: Reader<Answer>,
): Promise<Answer> {
  for (let retries = 0; ; retries += 1) {
    const outcome = await attempt(transport, request, read);
    if (outcome.kind === 'answered') return outcome.body;
    const waitMs =
      retries < transport.maxRetries ? waitBeforeRetry(outcome.error, retries, transport) : null;
    if (waitMs === null) throw outcome.error;
    await sleep(waitMs, request.signal);
  }
}

type Outcome<Answer> =
  | { readonly kind: 'answered'; readonly body: Answer }
  | { readonly kind: 'failed'; readonly error: ApiError | ConnectionError };

async function attempt<Answer>(
  transport: Transport,
  request: ApiRequest,
  read: Reader<Answer>,
): Promise<Outcome<Answer>> {
  request.signal?.throwIfAborted();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), transport.timeoutMs);
  const { signal: late } = timeout;
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
      signal: request.signal ? AbortSignal.any([request.signal, late]) : late,
    });
    return await read(response, request);
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (late.aborted)
      return failed(new TimeoutError(`No answer within ${transport.timeoutMs} ms.`, { cause }));
    return failed(new ConnectionError('The request did not complete.', { cause }));
  } finally {
    clearTimeout(timer);
  }
}

async function readJson(response: Response, request: ApiRequest): Promise<Outcome<object>> {
  const text = await response.text();
  request.onResponse?.(describeResponse(response, text));
  const body = parse(text);
  if (response.ok && isObject(body)) return { kind: 'answered', body };
  return readRefusal(response, text);
}

async function readFile(response: Response, request: ApiRequest): Promise<Outcome<Download>> {
  const { body, headers } = response;
  const contentType = headers.get('content-type') ?? '';
  const sizeBytes = Number(headers.get('content-length') ?? Number.NaN);
  if (!response.ok || !body || !contentType.startsWith('audio/') || Number.isNaN(sizeBytes)) {
    const text = await response.text();
    request.onResponse?.(describeResponse(response, text));
    return readRefusal(response, text);
  }
  request.onResponse?.(describeResponse(response, null));
  const etag = headers.get('etag') ?? undefined;
  return { kind: 'answered', body: { stream: body, contentType, sizeBytes, etag } };
}

function describeResponse({ status, headers }: Response, text: string | null): RawResponse {
  return { status, headers, requestId: headers.get('x-request-id') ?? undefined, text };
}

function readRefusal(response: Response, text: string): Outcome<never> {
  const body = parse(text);
  const known = isObject(body) && typeof body['error'] === 'string';
  const code = known ? String(body['error']) : 'unexpected_response';
  const message = known ? String(body['message']) : text.slice(0, limits.messageMaxChars);
  return failed(
    new ApiError(`${response.status} ${code}: ${message}`, {
      code,
      status: response.status,
      requestId: response.headers.get('x-request-id') ?? undefined,
      retryAfter: readRetryAfter(response.headers),
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
  if (error.retryAfter === undefined) return backoffMs;
  return error.retryAfter <= transport.maxRetryAfterSeconds ? error.retryAfter * 1000 : null;
}

function mayPassLater({ code, status, retryAfter }: ApiError): boolean {
  const advice = isKnownCode(code) ? errorCodes[code].retry : null;
  switch (advice) {
    case 'never':
    case 'after_change':
      return false;
    case 'after_wait':
      // Without a time the wait may be hours.
      return retryAfter !== undefined;
    case 'same_request':
      return true;
    case null:
      return status >= 500 || (status === 429 && retryAfter !== undefined);
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

function failed(error: ApiError | ConnectionError): Outcome<never> {
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
