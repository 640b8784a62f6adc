// Identifiers and tokens; the only source of randomness.
import { randomBytes, randomInt } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

export type IdPrefix =
  | 'ord'
  | 'att'
  | 'evt'
  | 'dlv'
  | 'agt'
  | 'wsp'
  | 'key'
  | 'num'
  | 'txt'
  | 'usr'
  | 'hld'
  | 'trf'
  | 'dep'
  | 'cal'
  | 'rec'
  | 'trg';

/** A prefix and the 26 Crockford digits of a UUIDv7, so that ids sort by their millisecond. */
export function newId(prefix: IdPrefix, now: Date): string {
  return `${prefix}_${encodeCrockford(uuidV7(now))}`;
}

/** Random octets in base64url: 32 bytes make 43 characters. */
export function newToken(byteCount: number): string {
  return randomBytes(byteCount).toString('base64url');
}

/** Digits that a person types, each as likely as the others. */
export function newCode(digits: number): string {
  return Array.from({ length: digits }, () => randomInt(10)).join('');
}

export function randomOctets(byteCount: number): Uint8Array {
  return randomBytes(byteCount);
}

function uuidV7(now: Date): Buffer {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
}

/** 16 octets are 128 bits; two leading zero bits make 26 digits of five bits each. */
function encodeCrockford(bytes: Uint8Array): string {
  let digits = '';
  let held = 0;
  let heldBits = 2;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0x1fff;
    heldBits += 8;
    while (heldBits >= 5) {
      heldBits -= 5;
      digits += alphabet.charAt((held >> heldBits) & 0x1f);
    }
  }
  return digits;
}
