// The webhook signing secret at rest: it must be shown again, so it is sealed and not hashed.
import { open, seal, sealingKey } from '../../platform/secret-box.ts';

const purpose = 'webhook-secret';

export function sealWebhookSecret(appSecret: string, secret: string): string {
  return seal(sealingKey(appSecret, purpose), secret);
}

/** Throws when the secret was sealed under another application secret. */
export function openWebhookSecret(appSecret: string, sealed: string): string {
  const opened = open([sealingKey(appSecret, purpose)], sealed);
  if (opened.kind !== 'opened')
    throw new Error(`A webhook secret cannot be opened with this APP_SECRET (${opened.kind}).`);
  return opened.plaintext;
}
