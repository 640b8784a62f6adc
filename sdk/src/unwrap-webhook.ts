// A webhook request as a server framework hands it over -> its event.
import type { WebhookEvent } from './generated/api.ts';
import { verifyWebhook, type VerifyOptions } from './verify-webhook.ts';

/** The Fetch API's Headers, or an object as Node and its frameworks have it. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

const signatureHeader = 'x-service-signature';

/**
 * Returns the event of a genuine, fresh webhook; throws WebhookVerificationError otherwise. Pass
 * the body as it arrived, before any parsing, and all the headers.
 */
export function unwrapWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  return verifyWebhook(rawBody, findSignature(headers), secrets, options);
}

function findSignature(headers: WebhookHeaders): string | null {
  if (isFetchHeaders(headers)) return headers.get(signatureHeader);
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === signatureHeader);
  return [found?.[1] ?? null].flat().join(',') || null;
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}
