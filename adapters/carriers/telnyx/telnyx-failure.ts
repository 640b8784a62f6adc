// What a failed request to Telnyx proves: a definite no, or nothing. Pure.
import { neverSent } from '../never-sent.ts';

export type TelnyxFailure =
  /** Telnyx refused it, or it never left this machine: nothing happened. */
  | {
      readonly kind: 'refused';
      readonly httpStatus: number | null;
      readonly code: string;
      /** JSON pointer to the field that is wrong, if it was named. */
      readonly pointer: string | null;
    }
  /** It may or may not have happened. */
  | { readonly kind: 'unknown'; readonly detail: string };

/** The texts are left out on purpose: Telnyx repeats phone numbers in them. */
export function readTelnyxFailure(error: unknown): TelnyxFailure {
  const status = fieldOf(error, 'status');
  if (typeof status !== 'number') {
    const detail = connectionCodeOf(error) ?? 'unreadable answer';
    if (neverSent.has(detail))
      return { kind: 'refused', httpStatus: null, code: detail, pointer: null };
    return { kind: 'unknown', detail };
  }
  if (status < 400 || status >= 500) return { kind: 'unknown', detail: `HTTP ${status}` };
  const first = firstError(error);
  const code = fieldOf(first, 'code');
  const pointer = fieldOf(fieldOf(first, 'source'), 'pointer');
  return {
    kind: 'refused',
    httpStatus: status,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : `HTTP ${status}`,
    pointer: typeof pointer === 'string' ? pointer : null,
  };
}

/** The body stands in `error`: a list of errors, the first of which is the reason. */
function firstError(error: unknown): unknown {
  const errors = fieldOf(fieldOf(error, 'error'), 'errors');
  return Array.isArray(errors) ? errors[0] : null;
}

/** The client wraps what its HTTP library threw, which wraps what the socket threw. */
function connectionCodeOf(error: unknown): string | null {
  const code = fieldOf(error, 'code');
  if (typeof code === 'string') return code;
  if (fieldOf(fieldOf(error, 'constructor'), 'name') === 'APIConnectionTimeoutError')
    return 'ETIMEDOUT';
  const cause = fieldOf(error, 'cause');
  return typeof cause === 'object' && cause !== null ? connectionCodeOf(cause) : null;
}

function fieldOf(value: unknown, name: string): unknown {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function';
  // Any object may be asked for any field.
  return isHolder ? (value as Record<string, unknown>)[name] : undefined;
}
