// The signature header of a delivery. Pure.
import { createHmac } from 'node:crypto';

/** One time, and one `v1` per secret, newest first; the key is the whole secret with its prefix. */
export function signWebhook(
  secrets: readonly string[],
  unixSeconds: number,
  body: Uint8Array,
): string {
  const signatures = secrets.map((secret) => `v1=${sign(secret, unixSeconds, body)}`);
  return [`t=${unixSeconds}`, ...signatures].join(',');
}

function sign(secret: string, unixSeconds: number, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${unixSeconds}.`).update(body).digest('hex');
}
