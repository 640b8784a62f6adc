// Signatures for the tests of a receiver.
import { importSecret, signedBytes } from './signature.ts';

/**
 * The X-Service-Signature header that the service would send; two secrets stand for a rotation
 * under way.
 */
export async function signForTest(
  rawBody: string | Uint8Array,
  secrets: string | readonly string[],
  { now = new Date() }: { readonly now?: Date } = {},
): Promise<string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  const signatures = await Promise.all(
    [secrets].flat().map(async (secret) => {
      const key = await importSecret(secret, 'sign');
      const octets = await crypto.subtle.sign('HMAC', key, signedBytes(timestamp, body));
      return `v1=${toHex(new Uint8Array(octets))}`;
    }),
  );
  return [`t=${timestamp}`, ...signatures].join(',');
}

function toHex(octets: Uint8Array): string {
  return Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
}
