import { expect, test } from 'vitest';
import { newId, newToken } from '../../platform/ids.ts';

test('an id is its prefix and 26 lower-case Crockford digits', () => {
  expect(newId('ord', new Date())).toMatch(/^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});

test('ids sort by the time they were made at', () => {
  const times = ['1970-01-01T00:00:00.001Z', '2026-11-21T00:00:00Z', '2026-11-21T00:00:00.001Z'];
  const ids = times.map((time) => newId('att', new Date(time)));
  expect(ids.toSorted()).toEqual(ids);
});

test('an id is a version 7 UUID in another alphabet', () => {
  const now = new Date('2026-11-21T03:00:00.123Z');
  const digits = newId('evt', now).slice(4);
  const value = digits
    .split('')
    .reduce(
      (sum, digit) => sum * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(digit)),
      0n,
    );
  expect(value >> 80n).toBe(BigInt(now.getTime()));
  expect((value >> 76n) & 0xfn).toBe(7n);
  expect((value >> 62n) & 0b11n).toBe(0b10n);
});

test('ids of one millisecond differ', () => {
  const now = new Date();
  expect(new Set(Array.from({ length: 10_000 }, () => newId('dlv', now))).size).toBe(10_000);
});

test('a token carries the wanted randomness in URL-safe characters', () => {
  expect(newToken(32)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(newToken(32)).not.toBe(newToken(32));
});
