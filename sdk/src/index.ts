// The face of the package.
export { createClient, type Client, type ClientOptions, type RequestOptions } from './client.ts';
export {
  ApiError,
  ConnectionError,
  TimeoutError,
  WebhookVerificationError,
  type ApiErrorCode,
} from './errors.ts';
export { verifyWebhook, type VerifyOptions } from './verify-webhook.ts';
export { signForTest } from './sign-for-test.ts';
export type * from './generated/api.ts';
