// Is this webhook genuine and fresh? Only Web Crypto, so it runs in Node, Deno, Bun and edge
// workers.
import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './generated/api.ts';
import { importSecret, signedBytes } from './signature.ts';

const defaultToleranceSeconds = 300;

export interface VerifyOptions {
  /** How far `t` may be from the clock, to either side. Default 300. */
  readonly toleranceSeconds?: number;
  /** The time to compare with. Default: the present. */
  readonly now?: Date;
}

/**
 * Returns the event when any signature matches any secret; throws WebhookVerificationError
 * otherwise. Pass the body as it arrived, before any parsing, and several secrets while a rotation
 * of your own is under way.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  signatureHeader: string | null | undefined,
  secrets: string | readonly string[],
  { toleranceSeconds = defaultToleranceSeconds, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { timestamp, signatures } = parseHeader(signatureHeader ?? '');
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (ageSeconds > toleranceSeconds)
    throw new WebhookVerificationError('outside_tolerance', 'The timestamp is too far from now.');
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const message = signedBytes(timestamp, body);
  for (const secret of [secrets].flat()) {
    const key = await importSecret(secret, 'verify');
    for (const signature of signatures)
      // Web Crypto compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, message)) return parseEvent(body);
  }
  throw new WebhookVerificationError('no_match', 'No signature matches.');
}

function parseHeader(header: string) {
  const parts = header.split(',').map((part) => part.trim());
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  const signatures = parts
    .filter((part) => /^v1=[0-9a-f]{64}$/.test(part))
    .map((part) => fromHex(part.slice(3)));
  if (!/^\d{1,12}$/.test(timestamp) || signatures.length === 0)
    throw new WebhookVerificationError('malformed_header', 'The signature header is malformed.');
  return { timestamp, signatures };
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_value, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    // The signature proves who wrote it; the contract says what was written.
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('not_json', 'The body is signed but is not JSON.');
  }
}
