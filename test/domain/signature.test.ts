import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signWebhook } from '../../domain/webhooks/signature.ts';

const body = Buffer.from('{"event":"order.completed","text":"é\u2028"}');
const time = 1_790_000_000;

function expected(secret: string, bytes: Uint8Array = body) {
  const message = Buffer.concat([Buffer.from(`${time}.`), bytes]);
  return createHmac('sha256', secret).update(message).digest('hex');
}

test('the header is the time and the lower-case hex of the whole secret over time, dot and raw body', () => {
  expect(signWebhook(['whsec_new'], time, body)).toBe(`t=${time},v1=${expected('whsec_new')}`);
});

test('while two secrets are valid there are two signatures under one time, the new one first', () => {
  expect(signWebhook(['whsec_new', 'whsec_old'], time, body)).toBe(
    `t=${time},v1=${expected('whsec_new')},v1=${expected('whsec_old')}`,
  );
});

test('a known secret, time and body give the known signature', () => {
  expect(signWebhook(['whsec_test'], 1_700_000_000, Buffer.from('{}'))).toBe(
    't=1700000000,v1=35495024f4ef3f94e5a93e22221544c4b75e9a42300cd965ab81cb85cd994e91',
  );
});

test.each([
  ['an empty body', Buffer.alloc(0)],
  ['a body of one megabyte', Buffer.alloc(1_048_576, 'é')],
  ['bytes that are not text', Buffer.from([0, 255, 128, 10])],
])('signs %s byte for byte', (_, bytes) => {
  expect(signWebhook(['whsec_new'], time, bytes)).toBe(
    `t=${time},v1=${expected('whsec_new', bytes)}`,
  );
});
