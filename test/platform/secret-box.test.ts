import { expect, test } from 'vitest';
import { open, seal, sealingKey } from '../../platform/secret-box.ts';

const key = sealingKey('a'.repeat(32), 'webhook-secrets');
const newer = sealingKey('b'.repeat(32), 'webhook-secrets');

test('what was sealed opens again with its key', () => {
  expect(open([key], seal(key, 'whsec_ä'))).toEqual({ kind: 'opened', plaintext: 'whsec_ä' });
  expect(open([key], seal(key, ''))).toEqual({ kind: 'opened', plaintext: '' });
});

test('a sealed text does not show its content and differs each time', () => {
  const sealed = seal(key, 'whsec_secret');
  expect(sealed).not.toContain('whsec_secret');
  expect(seal(key, 'whsec_secret')).not.toBe(sealed);
});

test('after a rotation both old and new texts open', () => {
  const keys = [newer, key];
  expect(open(keys, seal(key, 'old'))).toEqual({ kind: 'opened', plaintext: 'old' });
  expect(open(keys, seal(newer, 'new'))).toEqual({ kind: 'opened', plaintext: 'new' });
});

test('a text whose key is gone names that key', () => {
  expect(open([newer], seal(key, 'old'))).toEqual({ kind: 'unknown_key', keyId: key.id });
});

test('each purpose has its own key', () => {
  expect(sealingKey('a'.repeat(32), 'carrier-tokens').id).not.toBe(key.id);
});

test('any changed character is noticed', () => {
  // 12 + 16 + 14 octets: no bits of the last character are unused.
  const sealed = seal(key, 'whsec_a_secret');
  const start = sealed.lastIndexOf('.') + 1;
  for (let index = start; index < sealed.length; index += 1) {
    const other = sealed[index] === 'A' ? 'B' : 'A';
    const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
    expect(open([key], changed).kind).toBe('damaged');
  }
});

test.each(['', 's1', 's1.x', `s1.${key.id}.`, `s1.${key.id}.AAAA`, `s9.${key.id}.AAAA`])(
  'refuses %j without throwing',
  (sealed) => {
    expect(open([key], sealed).kind).not.toBe('opened');
  },
);
