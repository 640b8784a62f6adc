import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  walletProblems,
  type TransferFacts,
  type WalletFacts,
} from '../../domain/billing/wallet-proof.ts';

const micros = fc.integer({ min: 0, max: 1_000_000_000 });

/** A wallet that adds up. */
const sound = fc.tuple(micros, micros).map(([held, available]): WalletFacts & TransferFacts => ({
  balanceMicros: held + available,
  heldMicros: held,
  ledgerMicros: held + available,
  openHoldsMicros: held,
  unbalancedTransfers: 0,
  wrongCharges: 0,
  strayHolds: 0,
}));

test('a wallet that adds up has no problem', () => {
  fc.assert(
    fc.property(sound, (facts) => {
      expect(walletProblems(facts)).toEqual([]);
    }),
  );
});

const figures = [
  'balanceMicros',
  'heldMicros',
  'ledgerMicros',
  'openHoldsMicros',
  'unbalancedTransfers',
  'wrongCharges',
  'strayHolds',
] as const;

test('whichever figure is off, be it by one micro, is a problem', () => {
  fc.assert(
    fc.property(
      sound,
      fc.constantFrom(...figures),
      fc.integer({ min: 1 }),
      (facts, figure, off) => {
        expect(walletProblems({ ...facts, [figure]: facts[figure] + off })).not.toEqual([]);
      },
    ),
  );
});

test('more held than there is, is a problem also where all sums agree', () => {
  fc.assert(
    fc.property(sound, fc.integer({ min: 1 }), (facts, off) => {
      const held = facts.balanceMicros + off;
      const broken = { ...facts, heldMicros: held, openHoldsMicros: held };
      expect(walletProblems(broken)).toHaveLength(1);
    }),
  );
});
