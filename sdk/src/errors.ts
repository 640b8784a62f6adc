// What can go wrong, as real Error classes.
import type { ErrorCode } from './generated/api.ts';

/** The codes of this version, for completion; a newer server may send others. */
export type ApiErrorCode = ErrorCode | (string & {});

/** The API answered with an error. Branch on `code`; `message` is for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Stable code, or `unexpected_response` when the answer was not one of this API. */
  readonly code: ApiErrorCode;
  readonly status: number;
  /** Quote it when asking for help. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, when the answer named them. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    details: {
      code: ApiErrorCode;
      status: number;
      requestId?: string | undefined;
      retryAfter?: number | undefined;
    },
  ) {
    super(message);
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }

  /** The same as `retryAfter`, under its earlier name. */
  get retryAfterSeconds(): number | undefined {
    return this.retryAfter;
  }
}

/**
 * No complete answer came back. The order may have been taken: send it again with the same
 * Idempotency-Key.
 */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** The last attempt took longer than `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The request is not a genuine, fresh webhook. Answer it with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: 'malformed_header' | 'outside_tolerance' | 'no_match' | 'not_json';

  constructor(reason: WebhookVerificationError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
