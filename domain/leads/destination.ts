// May this number be called at all? Decided by the class of its area code, not by a library's idea of validity.
import type { ErrorCode } from '../../openapi/errors.ts';
import areaCodeTable from './data/us-area-codes.json' with { type: 'json' };
import nanpTable from './data/nanp-classes.json' with { type: 'json' };
import { readE164, readNanpNumber } from './phone-number.ts';

export interface Destination {
  /** E.164; null when the text cannot be read as a phone number. */
  readonly phone: string | null;
  readonly refusal: { readonly code: ErrorCode; readonly message?: string } | null;
}

const classOf = new Map(Object.entries(nanpTable.npa));
const areaCodeOf: ReadonlyMap<string, { in_service_date: string | null }> = new Map(
  Object.entries(areaCodeTable.area_codes),
);

/** US mainland, Alaska and Hawaii pass; other existing codes are 422, codes that do not exist are 400. */
export function readDestination(text: string, now: Date): Destination {
  const phone = readE164(text);
  if (!phone) return { phone: null, refusal: { code: 'invalid_phone' } };
  if (!phone.startsWith('+1')) return unsupported(phone);
  const number = readNanpNumber(phone);
  const areaCode = number && classOf.get(number.areaCode);
  if (!number || !areaCode || areaCode.error === 'invalid_phone')
    return { phone, refusal: { code: 'invalid_phone' } };
  if (areaCode.error !== null || !isInService(number.areaCode, now)) return unsupported(phone);
  return { phone, refusal: null };
}

function isInService(areaCode: string, now: Date): boolean {
  const date = areaCodeOf.get(areaCode)?.in_service_date;
  return typeof date === 'string' && Date.parse(date) <= now.getTime();
}

function unsupported(phone: string): Destination {
  return { phone, refusal: { code: 'unsupported_destination' } };
}
