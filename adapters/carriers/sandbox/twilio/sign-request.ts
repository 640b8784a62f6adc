// X-Twilio-Signature: proof that a request or a socket comes from whoever holds the token. Pure.
import { createHmac } from 'node:crypto';

/** Over the whole URL and, sorted by name, each form field's name and value. */
export function signRequest(
  authToken: string,
  url: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  const names = Object.keys(fields).toSorted();
  const signed = url + names.map((name) => name + fields[name]).join('');
  return createHmac('sha1', authToken).update(signed).digest('base64');
}
