// Whether a consent record permits a call: the gate that runs before the API key, and the age rule
// after it. Pure.
import { reservedConsentSources, timestampPattern } from '../../openapi/consent.ts';
import { limits } from '../../openapi/limits.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export type ConsentRefusal = 'consent_required' | 'invalid_consent_source';

/**
 * What is refused before the key is looked at. A wrong type of source is a field error and comes
 * later.
 */
export function checkConsentGate(body: Record<string, unknown>, now: Date): ConsentRefusal | null {
  const { consent } = body;
  if (!isRecord(consent) || consent['opt_in_confirmed'] !== true) return 'consent_required';
  const consentedAt = parseTimestamp(consent['consented_at']);
  if (!consentedAt) return 'consent_required';
  const aheadMs = consentedAt.getTime() - now.getTime();
  if (aheadMs > limits.consent.futureSkewMaxMinutes * minuteMs) return 'consent_required';
  return hasReservedSource(consent['source']) ? 'invalid_consent_source' : null;
}

/**
 * True when the consent is older than 1,461 days; a time that cannot be read is no consent either.
 */
export function isConsentTooOld(consentedAt: string, now: Date): boolean {
  const time = parseTimestamp(consentedAt);
  return !time || now.getTime() - time.getTime() > limits.consent.ageMaxDays * dayMs;
}

/**
 * RFC 3339 with optional seconds. Null unless zone and date are real: 30 February and 24:00 are
 * refused.
 */
export function parseTimestamp(value: unknown): Date | null {
  if (typeof value !== 'string' || !timestampPattern.test(value)) return null;
  const zoned = value.toUpperCase();
  const zone = zoned.endsWith('Z') ? 'Z' : zoned.slice(-6);
  const local = zoned.slice(0, -zone.length);
  const offsetMinutes = zone === 'Z' ? 0 : readOffsetMinutes(zone);
  const localMs = readLocalMs(local);
  if (offsetMinutes === null || localMs === null) return null;
  return new Date(localMs - offsetMinutes * minuteMs);
}

/**
 * The clock reading as if it were UTC. Date.parse lets 30 February roll over, so the date must
 * survive a round trip.
 */
function readLocalMs(local: string): number | null {
  const hasSeconds = local.charAt(16) === ':';
  const milliseconds = Date.parse(`${local}${hasSeconds ? '' : ':00'}Z`);
  if (Number.isNaN(milliseconds)) return null;
  return new Date(milliseconds).toISOString().startsWith(local.slice(0, 13)) ? milliseconds : null;
}

function readOffsetMinutes(zone: string): number | null {
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function hasReservedSource(source: unknown): boolean {
  return (
    typeof source === 'string' && reservedConsentSources.some((prefix) => source.startsWith(prefix))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
