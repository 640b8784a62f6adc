// The price of a destination: the longest prefix in force decides; a deck with a slip is refused whole.
import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseRateDeck } from '../../adapters/rate-decks/parse-rate-deck.ts';
import { RateDeck, type RateDeckRow } from '../../domain/billing/rate-deck.ts';
import { shippedRateDeckFile } from '../../platform/config.ts';

const head = 'prefix,action,surcharge_cents_per_min,label,effective_from,effective_to,source';
const deckOf = (...lines: string[]) => parseRateDeck([head, ...lines].join('\n'));
const may = new Date('2026-05-01T12:00:00Z');

describe('the longest prefix decides', () => {
  it('over the deck that ships', async () => {
    const deck = await parseRateDeck(await readFile(shippedRateDeckFile, 'utf8'));
    const cents = (phone: string) => (deck.find(phone, may)?.surchargeMicrosPerMinute ?? 0) / 1e4;
    expect(cents('+12125550101')).toBe(0);
    expect(cents('+19075550101')).toBe(5);
    expect(cents('+19072200101')).toBe(25);
    expect(deck.find('+17124320101', may)?.action).toBe('block');
    expect(deck.find('+12129760101', may)?.action).toBe('block');
    expect(deck.find('+442071838750', may)).toBeNull();
  });

  const row = fc.record({
    prefix: fc.stringMatching(/^1[2-4]{0,5}$/),
    fromDay: fc.nat({ max: 8 }),
    days: fc.option(fc.integer({ min: 1, max: 6 })),
  });

  it('in any deck, as a search through all its rows finds it', () => {
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 30 }),
        fc.stringMatching(/^\+1[2-4]{10}$/),
        fc.nat({ max: 15 }),
        (rows, phone, day) => {
          const deck = new RateDeck();
          const kept = rows.map(asRow).filter((candidate) => deck.add(candidate));
          const best = kept
            .filter(({ prefix }) => phone.startsWith(`+${prefix}`))
            .filter(({ fromMs, untilMs }) => fromMs <= day && day < untilMs)
            .toSorted((a, b) => b.prefix.length - a.prefix.length || b.fromMs - a.fromMs)[0];
          expect(deck.find(phone, new Date(day))).toBe(best ?? null);
        },
      ),
    );
  });

  function asRow(drawn: { prefix: string; fromDay: number; days: number | null }): RateDeckRow {
    return {
      prefix: drawn.prefix,
      action: 'allow',
      surchargeMicrosPerMinute: 0,
      label: '',
      fromMs: drawn.fromDay,
      untilMs: drawn.days === null ? Infinity : drawn.fromDay + drawn.days,
    };
  }
});

it('takes effect on the first day and ends after the last, in UTC', async () => {
  const deck = await deckOf(
    '1,allow,0,US,2026-01-01,,policy',
    '1907,surcharge,5.5,Alaska,2026-03-01,2026-03-31,test',
  );
  const label = (time: string) => deck.find('+19075550101', new Date(time))?.label;
  expect(label('2026-02-28T23:59:59.999Z')).toBe('US');
  expect(label('2026-03-01T00:00:00Z')).toBe('Alaska');
  expect(label('2026-03-31T23:59:59.999Z')).toBe('Alaska');
  expect(label('2026-04-01T00:00:00Z')).toBe('US');
  expect(label('2025-12-31T23:59:59Z')).toBeUndefined();
});

it.each([
  ['1,allow,0,US,2026-01-01,,x', '+1907,surcharge,5,A,2026-01-01,,x', 'line 3: prefix'],
  ['1,allow,0,US,2026-01-01,,x', '1907,raise,5,A,2026-01-01,,x', 'line 3: action'],
  ['1907,surcharge,0,A,2026-01-01,,x', '', 'line 2: surcharge_cents_per_min'],
  ['1907,surcharge,1.25,A,2026-01-01,,x', '', 'line 2: surcharge_cents_per_min'],
  ['1907,surcharge,-5,A,2026-01-01,,x', '', 'line 2: surcharge_cents_per_min'],
  ['1907,block,5,A,2026-01-01,,x', '', 'line 2: surcharge_cents_per_min'],
  ['1907,block,,A,2026-02-30,,x', '', 'line 2: effective_from'],
  ['1907,block,,A,2026-02-03,2026-02-02,x', '', 'line 2: effective_to'],
  ['1907,block,,A,2026-02-03', '', 'line 2: has 5 cells'],
  ['# note', '1907,block,,"A,2026-02-03,,x', 'line 3'],
  ['1,allow,0,US,2026-01-01,,x', '1,block,,US,2026-01-01,,x', 'line 3: prefix: stands twice'],
  ['', '', 'the deck has no rows'],
])('a deck with %s and %s is refused: %s', async (first, second, problem) => {
  await expect(deckOf(first, second)).rejects.toThrow(problem);
});

it('reads what spreadsheets save: a mark of the byte order, CRLF, quotes, empty lines, notes', async () => {
  const lines = ['# ours', head, '', '1907,surcharge,5,"Alaska, ""remote""",2026-01-01,,x', ''];
  const deck = await parseRateDeck(`\uFEFF${lines.join('\r\n')}`);
  expect(deck.size).toBe(1);
  expect(deck.find('+19075550101', may)).toMatchObject({
    label: 'Alaska, "remote"',
    surchargeMicrosPerMinute: 50_000,
  });
});

it('names the right line of a long deck', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => `1${200_000 + n},block,,A,2026-01-01,,x`);
  rows[15_678] = '1999999,block,,A,never,,x';
  await expect(deckOf(...rows)).rejects.toThrow('line 15680: effective_from');
});
