// One attempt to hand a body over: checked URL and addresses, pinned connection, one time budget.
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import { checkWebhookUrl } from './guard-url.ts';
import { postToAddress } from './post-to-address.ts';
import type { PostFailure, PostResult } from './post-to-address.ts';
import { resolveReceiver } from './resolve-receiver.ts';

const limits = {
  /** A first address that does not answer leaves time for the second. */
  firstConnectTimeoutMs: 3_000,
} as const;

export interface WebhookRequest {
  readonly url: string;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Wall clock for everything: lookup, connection, answer. */
  readonly timeoutMs: number;
  readonly allowLocal: boolean;
  readonly clock?: Clock;
  /** Those of the system unless given. */
  readonly dnsServers?: readonly string[];
  /** PEM; those of Node unless given. */
  readonly trustedCertificates?: readonly string[];
}

export type WebhookSendError =
  PostFailure | 'blocked_url' | 'blocked_address' | 'dns_error' | 'timeout' | 'bad_status';

export type WebhookSendResult =
  | { readonly kind: 'delivered'; readonly status: number; readonly durationMs: number }
  | {
      readonly kind: 'failed';
      readonly error: WebhookSendError;
      readonly status: number | null;
      readonly durationMs: number;
    };

/** Any 2xx within the budget is a delivery; everything else, redirects included, is a failure. */
export async function sendWebhookRequest(request: WebhookRequest): Promise<WebhookSendResult> {
  const clock = request.clock ?? systemClock();
  const startedMs = clock.monotonicMs();
  const budget = new AbortController();
  const timer = clock.setTimer(() => budget.abort(), request.timeoutMs);
  const overtime = new Promise<Failure>((resolve) => {
    budget.signal.addEventListener('abort', () => resolve({ kind: 'failed', error: 'timeout' }));
  });
  const result = await Promise.race([attempt(request, clock, budget.signal), overtime]);
  timer.cancel();
  const durationMs = Math.round(clock.monotonicMs() - startedMs);
  if (result.kind === 'failed') return { ...result, status: null, durationMs };
  const { status } = result;
  if (status >= 200 && status < 300) return { kind: 'delivered', status, durationMs };
  return { kind: 'failed', error: 'bad_status', status, durationMs };
}

interface Failure {
  readonly kind: 'failed';
  readonly error: Exclude<WebhookSendError, 'bad_status'>;
}

async function attempt(
  request: WebhookRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Failure | PostResult> {
  const { allowLocal, dnsServers, trustedCertificates, headers, body } = request;
  const checked = checkWebhookUrl(request.url, { allowLocal });
  if (checked.kind === 'denied') return { kind: 'failed', error: 'blocked_url' };
  const { url, host } = checked;
  const resolved = await resolveReceiver(host, { allowLocal, dnsServers, signal });
  if (resolved.kind === 'failed') return resolved;
  let result: Failure | PostResult = { kind: 'failed', error: 'dns_error' };
  for (const [index, address] of resolved.addresses.entries()) {
    const isLast = index === resolved.addresses.length - 1;
    const connectTimeoutMs = isLast ? request.timeoutMs : limits.firstConnectTimeoutMs;
    const pinned = { address, connectTimeoutMs, signal, clock };
    result = await postToAddress({ url, host, headers, body, trustedCertificates, ...pinned });
    // Once connected, the receiver may have seen the body: a second address could deliver it twice.
    if (result.kind === 'answered' || result.error !== 'connect_error') break;
  }
  return result;
}
