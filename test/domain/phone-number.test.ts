// The lenient reading of numbers, for what people and form tools type.
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { readDestination } from '../../domain/leads/destination.ts';
import { readTypedPhone } from '../../domain/leads/phone-number.ts';
import cases from './data/phone-cases.json' with { type: 'json' };

const now = new Date('2026-11-21T12:00:00Z');

describe('numbers as they are typed', () => {
  it.each(cases)('$input ($note)', ({ input, e164, error }) => {
    const typed = readTypedPhone(input);
    const { phone, refusal } = readDestination(typed ?? '', now);
    expect(refusal?.code).toBe(error);
    if (!error) expect(phone).toBe(e164);
  });

  it.each<[number | string, string]>([
    [2125550123, 'a JSON number'],
    [12125550123, 'a JSON number with its country'],
    ['p:+12125550123', 'as Meta marks phones'],
    ['\u202a+1 212 555 0123\u202c', 'bidi marks'],
    ['\uff0b\uff11\uff12\uff11\uff12\uff15\uff15\uff15\uff10\uff11\uff12\uff13', 'full width'],
    ['\u0662\u0661\u0662\u0665\u0665\u0665\u0660\u0661\u0662\u0663', 'Arabic digits'],
    ['(+1) 212 555 0123', 'the country in parentheses'],
    ['212/555-0123', 'a slash'],
    ['2125550123.0', 'a spreadsheet number'],
    ['tel:+1-212-555-0123;ext=45', 'a tel address with its extension'],
    ['(212) 555-0123 ext. 45', 'ext.'],
    ['2125550123,,45', 'pauses and an extension'],
    ['212-555-0123 #45', 'a number sign'],
  ])('%j (%s)', (typed) => {
    expect(readTypedPhone(typed)).toBe('+12125550123');
  });

  it.each([
    '2125550123; 3105550124',
    '2125550123, 3105550124',
    '2.12555E+09',
    '555-0123',
    2125550123.5,
    -2125550123,
    1e21,
  ])('refuses %j: no one number can be read', (typed) => {
    expect(readTypedPhone(typed)).toBeNull();
  });

  it('reads other countries only where they are named', () => {
    expect(readTypedPhone('+44 20 7183 8750')).toBe('+442071838750');
    expect(readTypedPhone('011 44 20 7183 8750')).toBe('+442071838750');
    expect(readTypedPhone('020 7183 8750')).toBeNull();
  });
});

test('however a number is written, the same number is read', () => {
  const digits = fc.stringMatching(/^[2-9]\d{2}[2-9]0\d{5}$/);
  const separator = fc.constantFrom('', ' ', '-', '.', '\u2011', '\u00a0');
  const country = fc.constantFrom('', '1', '+1', '001', '0111', 'tel:+1', "'+1");
  const extension = fc.constantFrom('', ' x9', ' ext 9', ';ext=9');
  fc.assert(
    fc.property(digits, separator, country, extension, (number, between, before, after) => {
      const parts = [number.slice(0, 3), number.slice(3, 6), number.slice(6)].join(between);
      expect(readTypedPhone(before + between + parts + after)).toBe(`+1${number}`);
    }),
  );
});

test('any text gives E.164 or nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.double()), (typed) => {
      expect(readTypedPhone(typed) ?? '+12125550123').toMatch(/^\+[1-9]\d{7,14}$/);
    }),
  );
});
