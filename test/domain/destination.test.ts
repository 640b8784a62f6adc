import { describe, expect, it } from 'vitest';
import { readDestination } from '../../domain/leads/destination.ts';
import cases from './data/phone-cases.json' with { type: 'json' };

const now = new Date('2026-11-21T12:00:00Z');

describe('numbers in E.164', () => {
  const written = cases.filter(({ input }) => input.startsWith('+') && !input.includes('/'));
  it.each(written)('$input ($note)', ({ input, e164, error }) => {
    const { phone, refusal } = readDestination(input, now);
    expect(refusal?.code).toBe(error);
    if (!error) expect(phone).toBe(e164);
  });
});

it.each(['2125550123', '12125550123', 'tel:+12125550123', '+1-800-FLOWERS', '', '+', '+1212'])(
  'refuses %j as unreadable: the API takes E.164 only',
  (text) => expect(readDestination(text, now).refusal?.code).toBe('invalid_phone'),
);

it.each(['+442071838750', '+33142685300', '+8613912345678'])(
  '%s is readable and not called',
  (text) => {
    expect(readDestination(text, now)).toMatchObject({
      phone: text,
      refusal: { code: 'unsupported_destination' },
    });
  },
);

it('accepts the numbers that documentation uses', () => {
  expect(readDestination('+1 (212) 555-0101', now)).toEqual({
    phone: '+12125550101',
    refusal: null,
  });
});

it('an area code is called from the day it is in service', () => {
  const mississippi = '+14715550123';
  expect(readDestination(mississippi, new Date('2026-01-29T00:00:00Z')).refusal?.code).toBe(
    'unsupported_destination',
  );
  expect(readDestination(mississippi, now).refusal).toBeNull();
  expect(readDestination('+15655550123', now).refusal?.code).toBe('unsupported_destination');
});
