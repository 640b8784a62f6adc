// Sends an event the way Stripe sends it: pretty-printed JSON, signed over its bytes.
import { signatureOf, type StripeEvent } from './stripe-objects.ts';

/** Answers the status of the receiver. What is forged takes the place of the genuine part; null leaves it out. */
export async function deliverEvent(
  to: { url: string; secret: string; nowSeconds: number },
  event: StripeEvent,
  forged: { body?: string; signature?: string | null } = {},
): Promise<number> {
  const body = JSON.stringify(event, null, 2);
  const { signature = signatureOf(body, to.secret, to.nowSeconds) } = forged;
  const response = await fetch(to.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature !== null && { 'stripe-signature': signature }),
    },
    body: forged.body ?? body,
  });
  await response.arrayBuffer();
  return response.status;
}
