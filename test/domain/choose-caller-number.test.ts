// The choice of a caller number, as a rule: only free ones, the familiar before the near, the near before the far.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CallerNumber,
  chooseCallerNumber,
} from '../../domain/dialling/choose-caller-number.ts';

const now = new Date('2026-11-23T15:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const lead = '+16195550123';
const sameArea = '+16195550199';
const sameState = '+12135550199';
const elsewhere = '+12125550199';

function number(phone: string, change: Partial<CallerNumber> = {}): CallerNumber {
  return { phone, freeAt: now, rangLeadAt: null, lastDialAt: null, ...change };
}

const choose = (...numbers: CallerNumber[]) => chooseCallerNumber(lead, numbers, now);

describe('chooseCallerNumber', () => {
  it.each([
    ['its area code before its state', [elsewhere, sameState, sameArea], sameArea],
    ['its state before any', [elsewhere, sameState], sameState],
    ['any, when none is near', [elsewhere], elsewhere],
  ])('%s', (_what, phones, chosen) => {
    expect(choose(...phones.map((phone) => number(phone)))).toBe(chosen);
  });

  it('the one that rang the lead before the nearest, and of several the last one', () => {
    const rang = (phone: string, ago: number) => number(phone, { rangLeadAt: minutes(-ago) });
    expect(choose(number(sameArea), rang(sameState, 60), rang(elsewhere, 30))).toBe(elsewhere);
  });

  it('of equals the one that was not used for longest', () => {
    const used = (phone: string, ago: number) => number(phone, { lastDialAt: minutes(-ago) });
    expect(choose(used('+12125550191', 5), used('+12125550192', 9))).toBe('+12125550192');
    expect(choose(used('+12125550191', 5), number('+12125550192'))).toBe('+12125550192');
  });

  it('none when none is free', () => {
    expect(choose(number(sameArea, { freeAt: minutes(1) }))).toBeNull();
    expect(choose()).toBeNull();
  });

  it('is always a free one, never farther than another free one, and the same in any order', () => {
    const arbitraryNumber = fc.record({
      phone: fc
        .integer({ min: 0, max: 99 })
        .chain((line) =>
          fc
            .constantFrom('619', '213', '212', '907')
            .map((area) => `+1${area}55501${String(line).padStart(2, '0')}`),
        ),
      freeAt: fc.integer({ min: -9, max: 9 }).map(minutes),
      rangLeadAt: fc.option(fc.integer({ min: -99, max: -1 }).map(minutes)),
      lastDialAt: fc.option(fc.integer({ min: -99, max: -1 }).map(minutes)),
    });
    const pool = fc.uniqueArray(arbitraryNumber, { selector: ({ phone }) => phone, maxLength: 12 });
    const nearness = ({ phone, rangLeadAt }: CallerNumber) =>
      rangLeadAt ? 0 : phone.startsWith('+1619') ? 1 : phone.startsWith('+1213') ? 2 : 3;
    fc.assert(
      fc.property(pool, (numbers) => {
        const free = numbers.filter(({ freeAt }) => freeAt <= now);
        const phone = choose(...numbers);
        expect(phone === null).toBe(free.length === 0);
        expect(choose(...numbers.toReversed())).toBe(phone);
        const chosen = free.find((other) => other.phone === phone);
        for (const other of free)
          if (chosen) expect(nearness(chosen)).toBeLessThanOrEqual(nearness(other));
      }),
    );
  });
});
