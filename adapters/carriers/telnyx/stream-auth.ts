// Proof that a media upgrade comes from whom we gave the address: a secret with the dial, or behind the address. Pure.
import { createHmac } from 'node:crypto';

/** Handed to Telnyx with the dial, and back to us with the upgrade of that very address. */
export function streamAuthToken(apiKey: string, mediaUrl: string): string {
  return createHmac('sha256', apiKey).update(`stream:${mediaUrl}`).digest('base64url');
}

/** Answering a call takes no token beside the address, so it stands in its query. */
export function signedStreamUrl(apiKey: string, mediaUrl: string): string {
  return `${mediaUrl}?auth=${streamAuthToken(apiKey, mediaUrl)}`;
}

export function splitStreamUrl(url: string): { address: string; token: string | null } {
  const [address = '', query = ''] = url.split('?', 2);
  return { address, token: new URLSearchParams(query).get('auth') };
}
