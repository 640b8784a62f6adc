// What a failed request to Twilio proves: a definite no, or nothing. Pure.
import { neverSent } from '../never-sent.ts';

export type TwilioFailure =
  /** Twilio refused it, or it never left this machine: nothing happened. */
  | { readonly kind: 'refused'; readonly httpStatus: number | null; readonly code: string }
  /** It may or may not have happened. */
  | { readonly kind: 'unknown'; readonly detail: string };

/** The message is left out on purpose: Twilio repeats phone numbers in it. */
export function readTwilioFailure(error: unknown): TwilioFailure {
  const { status, code } = fieldsOf(error);
  if (status === null) {
    const detail = code ?? 'unreadable answer';
    if (neverSent.has(detail)) return { kind: 'refused', httpStatus: null, code: detail };
    return { kind: 'unknown', detail };
  }
  if (status >= 400 && status < 500)
    return { kind: 'refused', httpStatus: status, code: code ?? `HTTP ${status}` };
  return { kind: 'unknown', detail: `HTTP ${status}` };
}

export function isNotFound(failure: TwilioFailure): boolean {
  return failure.kind === 'refused' && (failure.httpStatus === 404 || failure.code === '20404');
}

/** The package throws two classes of its own, and those of its HTTP library. */
function fieldsOf(error: unknown): { status: number | null; code: string | null } {
  if (typeof error !== 'object' || error === null) return { status: null, code: null };
  const status = 'status' in error && typeof error.status === 'number' ? error.status : null;
  const code = 'code' in error && isCode(error.code) ? String(error.code) : null;
  return { status, code };
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'string' || (typeof code === 'number' && code !== 0);
}
