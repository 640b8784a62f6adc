// The face of the package.
import { signForTest } from './sign-for-test.ts';
import { unwrapWebhook } from './unwrap-webhook.ts';

export { createClient, type Client, type ClientOptions, type RequestOptions } from './client.ts';
export {
  ApiError,
  ConnectionError,
  TimeoutError,
  WebhookVerificationError,
  type ApiErrorCode,
} from './errors.ts';
export { type ListQuery } from './list-orders.ts';
export { type Download, type RawResponse } from './send-request.ts';
export { type WebhookHeaders } from './unwrap-webhook.ts';
export { verifyWebhook, type VerifyOptions } from './verify-webhook.ts';
export { signForTest };
export type * from './generated/api.ts';

/** What a receiver needs: read a webhook, and sign one for its tests. */
export const webhooks = { unwrap: unwrapWebhook, signForTest } as const;
