// Every stable error code: its one HTTP status, the message it carries by default, and what a
// client may do about it.

/** HTTP statuses that an error of this API can have. */
export type ErrorStatus =
  400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 422 | 429 | 500 | 502 | 503;

/**
 * `never`: always refused. `after_change`: may pass once the workspace changed something.
 * `after_wait`: may pass after `Retry-After`. `same_request`: send it again as it is, with the same
 * Idempotency-Key.
 */
export type RetryAdvice = 'never' | 'after_change' | 'after_wait' | 'same_request';

export interface ErrorSpec {
  readonly status: ErrorStatus;
  readonly message: string;
  readonly retry: RetryAdvice;
  /** `dashboard` codes never leave through the public API. */
  readonly audience: 'public' | 'dashboard';
}

export const ERRORS = {
  invalid_json: refuse(400, 'The body must be a JSON object of at most 64 KB.'),
  consent_required: refuse(
    400,
    'consent must have opt_in_confirmed true and a consented_at that is a real time with a ' +
      'zone, at most 5 minutes ahead.',
  ),
  invalid_consent_source: refuse(
    400,
    'consent.source must not start with "test_" or "manual:"; these are reserved.',
  ),
  invalid_request: refuse(400, 'A field is wrong; the message names it.'),
  invalid_phone: refuse(400, 'lead.phone cannot be read as a phone number.'),
  invalid_body: refuse(400, 'The body must be JSON or form fields of at most 64 KB.'),
  unauthorized: refuse(
    401,
    'A valid API key is required in the Authorization header: "Bearer <API_KEY>".',
  ),
  insufficient_balance: untilChanged(
    402,
    'The wallet is under $1.00, or calling is paused on the account.',
  ),
  plan_inactive: untilChanged(402, 'The account has no active plan.'),
  test_number_not_verified: untilChanged(
    403,
    'A test lead needs a number that the workspace confirmed in the last 90 days.',
  ),
  agent_not_found: refuse(404, 'No agent with this agent_id in the workspace of the key.'),
  not_found: refuse(404, 'There is nothing at this address.'),
  method_not_allowed: refuse(405, 'This address does not take this method; see the Allow header.'),
  agent_inactive: untilChanged(409, 'The agent is switched off.'),
  agent_not_published: untilChanged(409, 'The agent was never published.'),
  idempotency_key_conflict: refuse(
    409,
    'This Idempotency-Key already belongs to a different order.',
  ),
  do_not_contact: refuse(409, 'This number asked not to be contacted. Do not retry.'),
  recording_deleted: refuse(410, 'The recording was deleted after its retention period.'),
  unsupported_destination: refuse(
    422,
    'This number cannot be called: only US mainland, Alaska and Hawaii numbers with a ' +
      'calling window in the next 3 days.',
  ),
  high_cost_destination: refuse(422, 'This number is in a high-cost area that is not called.'),
  rate_limited: untilLater(429, 'Too many requests; wait before the next one.'),
  internal_error: fail(500, 'Something failed on our side; retry with the same Idempotency-Key.'),
  recording_unavailable: fail(502, 'The audio cannot be fetched right now.'),
  suppression_unavailable: fail(
    503,
    'The do-not-contact list could not be read; no call is made unchecked. Retry shortly.',
  ),
  rate_unavailable: fail(503, 'The destination could not be checked. Retry shortly.'),
  wallet_unavailable: fail(503, 'The wallet could not be checked. Retry shortly.'),
  unavailable: fail(503, 'Not available right now. Retry shortly.'),
  api_key_limit: forDashboard(409, 'The workspace already has 20 active API keys.'),
  invalid_webhook_url: forDashboard(
    400,
    'The URL must be https, without credentials, and resolve to a public address.',
  ),
  no_webhook_url: forDashboard(400, 'No URL was given and no webhook URL is set.'),
  forbidden: forDashboard(403, 'Only an owner or admin may do this.'),
} as const satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof ERRORS;

/** Wrong in itself: the same request stays refused. */
function refuse<const Status extends ErrorStatus>(status: Status, message: string) {
  return { status, message, retry: 'never', audience: 'public' } as const;
}

function untilChanged<const Status extends ErrorStatus>(status: Status, message: string) {
  return { status, message, retry: 'after_change', audience: 'public' } as const;
}

function untilLater<const Status extends ErrorStatus>(status: Status, message: string) {
  return { status, message, retry: 'after_wait', audience: 'public' } as const;
}

/** Our own failure: the same request may well pass the next time. */
function fail<const Status extends ErrorStatus>(status: Status, message: string) {
  return { status, message, retry: 'same_request', audience: 'public' } as const;
}

function forDashboard<const Status extends ErrorStatus>(status: Status, message: string) {
  return { status, message, retry: 'never', audience: 'dashboard' } as const;
}
