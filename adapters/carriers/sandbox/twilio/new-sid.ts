// Twilio's identifiers: two letters for the kind, then 32 hexadecimal digits.
import { randomOctets } from '../../../../platform/ids.ts';

/** Calls, texts, media streams and owned numbers. */
export type SidKind = 'CA' | 'SM' | 'MZ' | 'PN';

export function newSid(kind: SidKind): string {
  return kind + Buffer.from(randomOctets(16)).toString('hex');
}
