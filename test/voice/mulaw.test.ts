import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeMulaw, encodeMulaw, mulawLoudness, mulawSilence } from '../../platform/mulaw.ts';

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

describe('µ-law', () => {
  test('decodes to the values that G.711 gives', () => {
    const decoded = decodeMulaw(new Uint8Array([0x00, 0x80, 0x7f, 0xff, 0x8f, 0x0f, 0xf0]));
    expect([...decoded]).toEqual([-32_124, 32_124, 0, 0, 16_764, -16_764, 120]);
  });

  test('gives back every byte it decoded; only negative zero becomes zero', () => {
    const expected = everyByte.map((byte) => (byte === 0x7f ? mulawSilence : byte));
    expect(encodeMulaw(decodeMulaw(everyByte))).toEqual(expected);
  });

  test('keeps every sample within half a step of its segment', () => {
    fc.assert(
      fc.property(fc.integer({ min: -32_768, max: 32_767 }), (sample) => {
        const [decoded = 0] = decodeMulaw(encodeMulaw(Int16Array.of(sample)));
        const clipped = Math.max(-32_635, Math.min(32_635, sample));
        expect(Math.abs(decoded - clipped)).toBeLessThanOrEqual((Math.abs(clipped) + 132) / 32);
      }),
    );
  });

  test('is silent at its silence byte, and loud where it is loud', () => {
    expect(mulawLoudness(new Uint8Array(160).fill(mulawSilence))).toBe(0);
    expect(mulawLoudness(new Uint8Array(0))).toBe(0);
    expect(mulawLoudness(new Uint8Array(160).fill(0x80))).toBe(32_124);
  });
});
