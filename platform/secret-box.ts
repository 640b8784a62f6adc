// Seals secrets that must be shown again (AES-256-GCM); each names its key, for rotation.
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { randomOctets } from './ids.ts';

const limits = { keyBytes: 32, nonceBytes: 12, tagBytes: 16 } as const;
const cipherName = 'aes-256-gcm';
const version = 's1';

export interface SealingKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export type Opened =
  | { readonly kind: 'opened'; readonly plaintext: string }
  | { readonly kind: 'unknown_key'; readonly keyId: string }
  | { readonly kind: 'damaged' };

/** One application secret gives a separate key per purpose; the id tells nothing about the key. */
export function sealingKey(secret: string, purpose: string): SealingKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', `seal:${purpose}`, limits.keyBytes));
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

export function seal(key: SealingKey, plaintext: string): string {
  const header = `${version}.${key.id}`;
  const nonce = randomOctets(limits.nonceBytes);
  const cipher = createCipheriv(cipherName, key.bytes, nonce);
  cipher.setAAD(Buffer.from(header));
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  const packed = Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  return `${header}.${packed.toString('base64url')}`;
}

/** Takes every key that may still be in use, in any order. */
export function open(keys: readonly SealingKey[], sealed: string): Opened {
  const [givenVersion, keyId, packed] = sealed.split('.');
  if (givenVersion !== version || keyId === undefined || packed === undefined)
    return { kind: 'damaged' };
  const key = keys.find((candidate) => candidate.id === keyId);
  if (!key) return { kind: 'unknown_key', keyId };
  return decipher(key, `${version}.${keyId}`, Buffer.from(packed, 'base64url'));
}

function decipher(key: SealingKey, header: string, packed: Buffer): Opened {
  const textStart = limits.nonceBytes + limits.tagBytes;
  if (packed.length < textStart) return { kind: 'damaged' };
  const nonce = packed.subarray(0, limits.nonceBytes);
  const cipher = createDecipheriv(cipherName, key.bytes, nonce, { authTagLength: limits.tagBytes });
  cipher.setAAD(Buffer.from(header));
  cipher.setAuthTag(packed.subarray(limits.nonceBytes, textStart));
  try {
    const plaintext = Buffer.concat([cipher.update(packed.subarray(textStart)), cipher.final()]);
    return { kind: 'opened', plaintext: plaintext.toString('utf8') };
  } catch {
    // The tag does not match: another key, or changed bytes.
    return { kind: 'damaged' };
  }
}
