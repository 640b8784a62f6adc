// Random identifiers in the form that Telnyx gives events, legs, sessions and messages.
import { randomOctets } from '../../../../platform/ids.ts';

export function newUuid(): string {
  const hex = Buffer.from(randomOctets(16)).toString('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}

export function newCallControlId(): string {
  return `v3:${Buffer.from(randomOctets(32)).toString('base64url')}`;
}
