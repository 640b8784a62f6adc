// One request to Cal.com's API v2: a deadline, the version that the endpoint wants, no throwing.
import { z } from 'zod';
import type { CalendarProblem } from '../../../domain/calls/calendar.ts';
import type { Clock } from '../../../platform/clock.ts';
import { within } from '../deadline.ts';

const limits = {
  /** A person waits on the line: whoever asks for more patience than this is not asked again. */
  patienceMs: 1_500,
} as const;

/** With another version the same path answers 404, or quietly in another shape. */
const versions = { slots: '2024-09-04', bookings: '2024-08-13' } as const;

export type Answered =
  | { readonly kind: 'done'; readonly data: unknown }
  /** Cal.com refused it: nothing happened. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly message: string;
      readonly problem: CalendarProblem;
    }
  /** It may or may not have happened; `answered` when Cal.com said at least that it failed. */
  | { readonly kind: 'unknown'; readonly answered: boolean };

export interface CalComRequest {
  readonly api: keyof typeof versions;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type AskCalCom = (request: CalComRequest) => Promise<Answered>;

interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number;
}

export function askCalCom(options: {
  baseUrl: string;
  apiKey: string;
  clock: Clock;
  requestTimeoutMs: number;
}): AskCalCom {
  const { clock, requestTimeoutMs } = options;
  const send = (request: CalComRequest) =>
    within(clock, requestTimeoutMs, (signal) => sendOnce(options, request, signal));
  return async (request) => {
    try {
      const first = await send(request);
      const comesAgain = first.status === 429 && first.retryAfterMs <= limits.patienceMs;
      if (!comesAgain) return read(first);
      await clock.sleep(first.retryAfterMs);
      return read(await send(request));
    } catch {
      // The message would repeat the address, and with it what was asked.
      return { kind: 'unknown', answered: false };
    }
  };
}

async function sendOnce(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  { api, method, path, query, body }: CalComRequest,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  const response = await fetch(url, {
    method,
    signal,
    redirect: 'error',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'cal-api-version': versions[api],
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const retryAfterMs = Number(response.headers.get('retry-after') ?? Number.NaN) * 1000;
  return {
    status: response.status,
    text: await response.text(),
    retryAfterMs: Number.isFinite(retryAfterMs) ? retryAfterMs : limits.patienceMs,
  };
}

const Success = z.object({ status: z.literal('success'), data: z.unknown() });
const Failure = z.object({ error: z.object({ message: z.string() }) });

function read({ status, text }: RawAnswer): Answered {
  const body = parse(text);
  if (status >= 200 && status < 300) {
    const success = Success.safeParse(body);
    if (success.success) return { kind: 'done', data: success.data.data };
    return { kind: 'unknown', answered: false };
  }
  if (status < 400 || status >= 500 || status === 408) return { kind: 'unknown', answered: true };
  const failure = Failure.safeParse(body);
  const message = failure.success ? failure.data.error.message : '';
  return { kind: 'refused', status, message, problem: problemOf(status) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function problemOf(status: number): CalendarProblem {
  if (status === 401 || status === 403) return 'access_revoked';
  if (status === 404) return 'not_found';
  return status === 429 ? 'too_many_requests' : 'rejected';
}
