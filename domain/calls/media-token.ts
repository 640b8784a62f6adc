// The one-use token in the path of a media socket: which attempt, until when, signed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallRef } from './call-desk.ts';

/** base64url(workspace.order.attempt.expiry) + '.' + base64url(HMAC-SHA256). */
export function createMediaToken(secret: string, call: CallRef, expiresAt: Date): string {
  const content = [call.workspaceId, call.orderId, call.attemptId, expiresAt.getTime()].join('.');
  const encoded = Buffer.from(content).toString('base64url');
  return `${encoded}.${sign(secret, encoded).toString('base64url')}`;
}

export type MediaTokenCheck =
  { readonly kind: 'good'; readonly call: CallRef } | { readonly kind: 'bad_token' | 'expired' };

/** Checks signature and expiry only; that it is used once is the table's business. */
export function readMediaToken(secret: string, token: string, now: Date): MediaTokenCheck {
  const [encoded, signature, ...rest] = token.split('.');
  if (!encoded || !signature || rest.length > 0) return { kind: 'bad_token' };
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secret, encoded);
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return { kind: 'bad_token' };
  const [workspaceId, orderId, attemptId, expiry] = Buffer.from(encoded, 'base64url')
    .toString()
    .split('.');
  if (!workspaceId || !orderId || !attemptId || !expiry) return { kind: 'bad_token' };
  if (Number(expiry) < now.getTime()) return { kind: 'expired' };
  return { kind: 'good', call: { workspaceId, orderId, attemptId } };
}

function sign(secret: string, encoded: string): Buffer {
  return createHmac('sha256', secret).update('media-token:').update(encoded).digest();
}
