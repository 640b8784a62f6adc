// Webhooks as Telnyx sends them: an event in JSON, signed with Ed25519 over the time and the body.
import { sign } from 'node:crypto';
import type { CallbackRequest } from '../callbacks.ts';
import { newUuid } from './new-uuid.ts';
import type { TelnyxNetwork } from './telnyx-network.ts';

export function signedWebhook(
  network: TelnyxNetwork,
  webhook: { readonly url: string; readonly type: string; readonly payload: object },
): CallbackRequest {
  const { url, type, payload } = webhook;
  const occurredAt = network.clock.now().toISOString();
  const body = JSON.stringify({
    data: {
      event_type: type,
      id: newUuid(),
      occurred_at: occurredAt,
      payload,
      record_type: 'event',
    },
    meta: { attempt: 1, delivered_to: url },
  });
  return {
    url,
    method: 'POST',
    body,
    headers() {
      const timestamp = `${Math.floor(network.clock.now().getTime() / 1_000)}`;
      const signed = sign(null, Buffer.from(`${timestamp}|${body}`), network.account.signingKey);
      return {
        'Content-Type': 'application/json',
        'Telnyx-Signature-Ed25519': signed.toString('base64'),
        'Telnyx-Timestamp': timestamp,
      };
    },
  };
}
