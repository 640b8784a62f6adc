// Twilio's identifiers: two letters for the kind, then 32 hexadecimal digits.
import { randomOctets } from '../../../platform/ids.ts';

/** Calls, texts and media streams. */
export type SidKind = 'CA' | 'SM' | 'MZ';

export function newSid(kind: SidKind): string {
  return kind + Buffer.from(randomOctets(16)).toString('hex');
}
