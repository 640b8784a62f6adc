// A refusal or failure with a code of the catalogue. The domain throws it; each edge turns it into
// its answer once.
import { ERRORS, type ErrorCode } from '../openapi/errors.ts';

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds?: number;

  /** The message is public and defaults to the catalogue's; the cause is for the log alone. */
  constructor(
    code: ErrorCode,
    message?: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message ?? ERRORS[code].message, 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
