// The credentials of a vendor's calendar at rest: they must be used again, so they are sealed and not hashed.
import { open, seal, sealingKey } from '../../platform/secret-box.ts';

const purpose = 'calendar-credentials';

export function sealCredentials(appSecret: string, credentials: string): string {
  return seal(sealingKey(appSecret, purpose), credentials);
}

/** Null when they were sealed under another application secret. */
export function openCredentials(appSecret: string, sealed: string): string | null {
  const opened = open([sealingKey(appSecret, purpose)], sealed);
  return opened.kind === 'opened' ? opened.plaintext : null;
}
