// One request to Google: a deadline, one more try when Google says that it comes too often, no throwing.
import type { Clock } from '../../../platform/clock.ts';
import { within } from '../deadline.ts';
import type { GoogleClient } from './google-client.ts';
import { readGoogleFailure, type GoogleFailure } from './google-failure.ts';

const limits = {
  /** A person waits on the line: whoever asks for more patience than this is not asked again. */
  patienceMs: 1_500,
  firstWaitMs: 400,
} as const;

export type Answered<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly failure: GoogleFailure };

interface RequestOptions {
  readonly signal: AbortSignal;
}

export function askGoogle(client: GoogleClient, clock: Clock, timeoutMs: number) {
  const once = async <Value>(
    request: (client: GoogleClient, options: RequestOptions) => Promise<{ data: Value }>,
  ): Promise<Answered<Value>> => {
    try {
      const { data } = await within(clock, timeoutMs, (signal) => request(client, { signal }));
      return { kind: 'done', value: data };
    } catch (error) {
      return { kind: 'failed', failure: readGoogleFailure(error) };
    }
  };
  return async <Value>(
    request: (client: GoogleClient, options: RequestOptions) => Promise<{ data: Value }>,
  ): Promise<Answered<Value>> => {
    const first = await once(request);
    if (first.kind === 'done' || first.failure.kind === 'unknown') return first;
    const waitMs = first.failure.retryAfterMs ?? limits.firstWaitMs;
    if (first.failure.problem !== 'too_many_requests' || waitMs > limits.patienceMs) return first;
    await clock.sleep(waitMs);
    return once(request);
  };
}
