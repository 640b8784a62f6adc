// The token of a playable link: whose recording of which order, until when, signed. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** base64url(workspace.order.expiry) + '.' + base64url(HMAC-SHA256). */
export function createLinkToken(
  secret: string,
  link: { workspaceId: string; orderId: string; expiresAt: Date },
): string {
  const content = [link.workspaceId, link.orderId, link.expiresAt.getTime()].join('.');
  const encoded = Buffer.from(content).toString('base64url');
  return `${encoded}.${sign(secret, encoded).toString('base64url')}`;
}

/** The workspace of the link; null when it is forged, expired, or of another order. */
export function readRecordingLink(
  secret: string,
  given: { orderId: string; token: string; now: Date },
): string | null {
  const [encoded, signature, ...rest] = given.token.split('.');
  if (!secret || !encoded || !signature || rest.length > 0) return null;
  const octets = Buffer.from(signature, 'base64url');
  const expected = sign(secret, encoded);
  if (octets.length !== expected.length || !timingSafeEqual(octets, expected)) return null;
  const content = Buffer.from(encoded, 'base64url').toString();
  const [workspaceId, orderId, expiry] = content.split('.');
  if (!workspaceId || orderId !== given.orderId) return null;
  return Number(expiry) > given.now.getTime() ? workspaceId : null;
}

/** The purpose is signed too, so that no token of another kind passes here. */
function sign(secret: string, encoded: string): Buffer {
  return createHmac('sha256', secret).update('recording-link:').update(encoded).digest();
}
