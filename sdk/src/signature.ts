// What is signed, and with which key.

/** `<t>.<raw body>`, in the very bytes of the body. */
export function signedBytes(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${timestamp}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  return message;
}

/** The key is the whole secret, its `whsec_` included. An empty one would let anybody sign. */
export async function importSecret(secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> {
  if (!secret.startsWith('whsec_')) throw new TypeError('A signing secret begins with whsec_.');
  const key = new TextEncoder().encode(secret);
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}
