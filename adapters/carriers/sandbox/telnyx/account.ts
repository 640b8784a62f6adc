// The sandbox's Telnyx account: all of it follows from one secret of the installation.
import { createHmac, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

export interface SandboxTelnyxAccount {
  readonly apiKey: string;
  /** Of the call control application that calls are placed with. */
  readonly connectionId: string;
  /** Ed25519, as Telnyx shows it: the 32 octets in base64. */
  readonly publicKey: string;
  readonly signingKey: KeyObject;
}

/** What DER puts before the 32 octets of an Ed25519 seed (PKCS #8) and of a public key (SPKI). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const spkiPrefixOctets = 12;

export function sandboxTelnyxAccount(secret: string): SandboxTelnyxAccount {
  const derive = (name: string) => createHmac('sha256', secret).update(`telnyx:${name}`).digest();
  const signingKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, derive('signing-key')]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(signingKey).export({ format: 'der', type: 'spki' });
  return {
    apiKey: `KEY${derive('api-key').toString('hex')}`,
    connectionId: '1000000000000000001',
    publicKey: spki.subarray(spkiPrefixOctets).toString('base64'),
    signingKey,
  };
}
