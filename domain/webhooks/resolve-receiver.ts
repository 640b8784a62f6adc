// Looks a receiver's addresses up, once per attempt, and lets none through that is not public.
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressProblem, isLocalName } from './guard-url.ts';

const limits = { queryTimeoutMs: 2_500, queryTries: 2, addressesMax: 2 } as const;

export type ResolvedReceiver =
  | { readonly kind: 'resolved'; readonly addresses: readonly string[] }
  | { readonly kind: 'failed'; readonly error: 'dns_error' | 'blocked_address' };

export interface ResolveOptions {
  readonly allowLocal: boolean;
  /** Those of the system unless given. */
  readonly dnsServers?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** One answer that is not public condemns the name: which one would be used is not ours to guess. */
export async function resolveReceiver(
  host: string,
  options: ResolveOptions,
): Promise<ResolvedReceiver> {
  const addresses = await findAddresses(host, options);
  if (addresses.length === 0) return { kind: 'failed', error: 'dns_error' };
  const blocked = addresses.some((address) => {
    const problem = addressProblem(address);
    return problem !== null && !(options.allowLocal && problem === 'loopback');
  });
  if (blocked) return { kind: 'failed', error: 'blocked_address' };
  return { kind: 'resolved', addresses: addresses.slice(0, limits.addressesMax) };
}

async function findAddresses(host: string, options: ResolveOptions): Promise<string[]> {
  if (isIP(host)) return [host];
  if (options.allowLocal && isLocalName(host)) return ['127.0.0.1', '::1'];
  // Not getaddrinfo: that reads the hosts file, adds search domains and cannot be cancelled.
  const resolver = new Resolver({ timeout: limits.queryTimeoutMs, tries: limits.queryTries });
  if (options.dnsServers) resolver.setServers(options.dnsServers);
  const cancel = () => resolver.cancel();
  options.signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    options.signal.removeEventListener('abort', cancel);
  }
}
