import fc from 'fast-check';
import { expect, it } from 'vitest';
import { centsFromMicros, chargeForTalk, pricesFor } from '../../domain/billing/pricing.ts';

const startedAt = new Date('2026-11-23T15:00:00Z');
const after = (ms: number) => new Date(startedAt.getTime() + ms);
const hold = { minutes: 10, minutePriceMicros: pricesFor(0).minuteMicros };

it.each([
  [0, 0, 0],
  [1, 1, 15],
  [60_000, 1, 15],
  [60_001, 2, 30],
  [95_000, 2, 30],
])('%i ms of talk are %i minutes and %i cents', (ms, minutes, cents) => {
  const charge = chargeForTalk({ startedAt, endedAt: after(ms) }, hold);
  expect(charge.billedMinutes).toBe(minutes);
  expect(centsFromMicros(charge.chargedMicros)).toBe(cents);
});

it('nobody reached costs nothing', () => {
  expect(chargeForTalk(null, hold)).toEqual({
    durationSeconds: 0,
    billedMinutes: 0,
    chargedMicros: 0,
  });
});

it('a surcharge counts per started minute', () => {
  const surcharged = { minutes: 3, minutePriceMicros: pricesFor(50_000).minuteMicros };
  expect(
    centsFromMicros(chargeForTalk({ startedAt, endedAt: after(61_000) }, surcharged).chargedMicros),
  ).toBe(40);
});

it('a call never costs more than was held for it', () => {
  fc.assert(
    fc.property(fc.nat(7_200_000), fc.integer({ min: 1, max: 60 }), (ms, minutes) => {
      const held = { minutes, minutePriceMicros: 150_000 };
      const { chargedMicros } = chargeForTalk({ startedAt, endedAt: after(ms) }, held);
      expect(chargedMicros).toBeLessThanOrEqual(minutes * held.minutePriceMicros);
    }),
  );
});
