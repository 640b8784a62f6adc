import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkConsentGate, isConsentTooOld, parseTimestamp } from '../../domain/leads/consent.ts';

const now = new Date('2026-05-01T12:00:00Z');
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

function bodyWith(consent: unknown) {
  return { consent };
}

function consentAt(consentedAt: unknown) {
  return bodyWith({
    opt_in_confirmed: true,
    consented_at: consentedAt,
    source: 'https://example.com',
  });
}

describe('the consent gate', () => {
  test('passes a confirmed, dated consent', () => {
    expect(checkConsentGate(consentAt('2026-05-01T11:00:00Z'), now)).toBeNull();
  });

  test.each([undefined, null, true, 'yes', 1, [], [{ opt_in_confirmed: true }]])(
    'requires an object (%j)',
    (consent) => {
      expect(checkConsentGate(bodyWith(consent), now)).toBe('consent_required');
    },
  );

  test.each([undefined, null, false, 'true', 1])(
    'requires opt_in_confirmed true (%j)',
    (confirmed) => {
      const consent = {
        opt_in_confirmed: confirmed,
        consented_at: '2026-05-01T11:00:00Z',
        source: 'x',
      };
      expect(checkConsentGate(bodyWith(consent), now)).toBe('consent_required');
    },
  );

  test.each([undefined, null, 0, 1_777_636_800, '', 'yesterday', {}])(
    'requires a time in consented_at (%j)',
    (consentedAt) => {
      expect(checkConsentGate(consentAt(consentedAt), now)).toBe('consent_required');
    },
  );

  test('allows exactly five minutes ahead of our clock and nothing more', () => {
    const ahead = (ms: number) => new Date(now.getTime() + ms).toISOString();
    expect(checkConsentGate(consentAt(ahead(5 * minuteMs)), now)).toBeNull();
    expect(checkConsentGate(consentAt(ahead(5 * minuteMs + 1)), now)).toBe('consent_required');
  });

  test.each(['test_', 'test_lead:1', 'manual:', 'manual:desk'])(
    'reserves the source %j',
    (source) => {
      const consent = { opt_in_confirmed: true, consented_at: '2026-05-01T11:00:00Z', source };
      expect(checkConsentGate(bodyWith(consent), now)).toBe('invalid_consent_source');
    },
  );

  test.each(['my test_page', 'Manual:', 'testing', '', undefined, 7])(
    'leaves the source %j to the field rules',
    (source) => {
      const consent = { opt_in_confirmed: true, consented_at: '2026-05-01T11:00:00Z', source };
      expect(checkConsentGate(bodyWith(consent), now)).toBeNull();
    },
  );

  test('names the missing consent before the reserved source', () => {
    expect(checkConsentGate(bodyWith({ opt_in_confirmed: false, source: 'test_x' }), now)).toBe(
      'consent_required',
    );
  });

  test('lets age pass: it is refused later, as a field', () => {
    expect(checkConsentGate(consentAt('1999-01-01T00:00:00Z'), now)).toBeNull();
  });

  test('answers for any JSON value whatever', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const answer = checkConsentGate({ consent: value }, now);
        expect([null, 'consent_required', 'invalid_consent_source']).toContain(answer);
      }),
    );
  });
});

describe('the age of a consent', () => {
  test('may be 1,461 days and not a millisecond more', () => {
    const old = (ms: number) => new Date(now.getTime() - ms).toISOString();
    expect(isConsentTooOld(old(1_461 * dayMs), now)).toBe(false);
    expect(isConsentTooOld(old(1_461 * dayMs + 1), now)).toBe(true);
  });
});

describe('timestamps', () => {
  test.each([
    ['2026-02-28T23:59:59Z', '2026-02-28T23:59:59.000Z'],
    ['2026-02-28t23:59:59z', '2026-02-28T23:59:59.000Z'],
    ['2026-02-28T23:59Z', '2026-02-28T23:59:00.000Z'],
    ['2026-02-28T23:59:59.123456789Z', '2026-02-28T23:59:59.123Z'],
    ['2026-02-28T23:59:59+05:30', '2026-02-28T18:29:59.000Z'],
    ['2026-02-28T23:59-08:00', '2026-03-01T07:59:00.000Z'],
    ['2028-02-29T00:00:00-00:00', '2028-02-29T00:00:00.000Z'],
  ])('reads %s', (given, instant) => {
    expect(parseTimestamp(given)?.toISOString()).toBe(instant);
  });

  test.each([
    '2026-02-30T12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-10T12:00:00Z',
    '2026-01-00T12:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T12:60:00Z',
    '2026-01-01T12:00:60Z',
    '2026-01-01T12:00:00+24:00',
    '2026-01-01T12:00:00+01:60',
    '2026-01-01T12:00:00',
    '2026-01-01T12:00:00+0100',
    '2026-01-01T12:00:00,5Z',
    '2026-01-01 12:00:00Z',
    '2026-01-01',
    ' 2026-01-01T12:00:00Z',
    '2026-01-01T12:00:00Z\n',
    '+002026-01-01T12:00:00Z',
  ])('refuses %j', (given) => {
    expect(parseTimestamp(given)).toBeNull();
  });

  test('reads back every instant in every zone', () => {
    const instants = fc.date({
      min: new Date('0100-01-01T00:00:00Z'),
      max: new Date('9998-12-31T00:00:00Z'),
      noInvalidDate: true,
    });
    const offsets = fc.integer({ min: -(24 * 60 - 1), max: 24 * 60 - 1 });
    fc.assert(
      fc.property(instants, offsets, (instant, offsetMinutes) => {
        const local = new Date(instant.getTime() + offsetMinutes * minuteMs).toISOString();
        const text = `${local.slice(0, -1)}${formatOffset(offsetMinutes)}`;
        expect(parseTimestamp(text)?.getTime()).toBe(instant.getTime());
      }),
    );
  });

  test('accepts a day only if the calendar has it', () => {
    const part = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(part(9999), part(13), part(32), (year, month, day) => {
        const date = [pad(year, 4), pad(month, 2), pad(day, 2)].join('-');
        expect(parseTimestamp(`${date}T12:00Z`) !== null).toBe(
          day >= 1 && day <= daysIn(year, month),
        );
      }),
    );
  });
});

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60), 2)}:${pad(size % 60, 2)}`;
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
