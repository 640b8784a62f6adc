// What a failed request to Google proves: a definite no, or nothing. Pure.
import type { CalendarProblem } from '../../../domain/calls/calendar.ts';

export type GoogleFailure =
  /** Google refused it: nothing happened. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly problem: CalendarProblem;
      /** How long Google asks to wait, when it does. */
      readonly retryAfterMs: number | null;
    }
  /** It may or may not have happened; `answered` when Google said at least that it failed. */
  | { readonly kind: 'unknown'; readonly answered: boolean };

/** https://developers.google.com/workspace/calendar/api/guides/errors */
const tooMany = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'quotaExceeded',
  'calendarLimitsExceeded',
  'dailyLimitExceeded',
]);
const noAccess = new Set(['insufficientPermissions', 'requiredAccessLevel', 'authError']);
const revokedGrants = new Set(['invalid_grant', 'unauthorized_client']);

/** The message and the request stay out of it: they repeat names, numbers and tokens. */
export function readGoogleFailure(error: unknown): GoogleFailure {
  const { status, body, retryAfterMs, tokenRequest } = fieldsOf(error);
  if (status === null)
    return tokenRequest
      ? { kind: 'refused', status: 0, problem: 'unreachable', retryAfterMs: null }
      : { kind: 'unknown', answered: false };
  // Without a token the request itself was never let in.
  if (tokenRequest) {
    const grant = typeof body['error'] === 'string' ? body['error'] : '';
    const problem = revokedGrants.has(grant) ? 'access_revoked' : 'unreachable';
    return { kind: 'refused', status, problem, retryAfterMs: null };
  }
  if (status < 400 || status >= 500 || status === 408) return { kind: 'unknown', answered: true };
  return { kind: 'refused', status, problem: problemOf(status, reasonOf(body)), retryAfterMs };
}

function problemOf(status: number, reason: string): CalendarProblem {
  if (status === 429 || tooMany.has(reason)) return 'too_many_requests';
  if (status === 401 || noAccess.has(reason)) return 'access_revoked';
  return status === 404 ? 'not_found' : 'rejected';
}

function reasonOf(body: Record<string, unknown>): string {
  const error = recordOf(body['error']);
  const [first] = Array.isArray(error['errors']) ? (error['errors'] as unknown[]) : [];
  const reason = recordOf(first)['reason'];
  return typeof reason === 'string' ? reason : '';
}

function fieldsOf(error: unknown) {
  const { response, config } = recordOf(error);
  const { status, data, headers } = recordOf(response);
  const retryAfter = headers instanceof Headers ? Number(headers.get('retry-after')) : 0;
  return {
    status: typeof status === 'number' ? status : null,
    body: recordOf(data),
    retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : null,
    tokenRequest: addressOf(recordOf(config)['url']).endsWith('/token'),
  };
}

function addressOf(url: unknown): string {
  if (url instanceof URL) return url.href;
  return typeof url === 'string' ? url : '';
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
