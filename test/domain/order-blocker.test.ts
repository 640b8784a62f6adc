import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { intakeVerdict } from '../../domain/orders/intake-verdict.ts';
import { orderBlocker } from '../../domain/workspaces/order-blocker.ts';

const asked = {
  repeatedBy: 'key',
  agentId: 'agt_1',
  phone: '+12125550101',
  externalReferenceId: null,
  destinationRefusal: null,
} as const;

const goodFacts = {
  existing: null,
  agentFound: true,
  agentActive: true,
  publishedVersion: 1,
  suppressed: false,
  numberConfirmed: true,
  agentHours: null,
  insertedId: null,
};

test('GET /v1/me says exactly what intake would refuse a faultless order with', () => {
  const account = fc.record({
    mode: fc.constantFrom('live', 'test'),
    planStatus: fc.constantFrom('active', 'past_due', 'inactive'),
    balanceMicros: fc.constantFrom(0, 999_999, 1_000_000, 5_000_000),
    paused: fc.boolean(),
    testOrders: fc.constantFrom(0, 499, 500),
  });
  fc.assert(
    fc.property(account, ({ mode, planStatus, balanceMicros, paused, testOrders }) => {
      const facts = { ...goodFacts, planStatus, balanceMicros, paused, testOrders };
      const verdict = intakeVerdict(
        { ...asked, kind: mode === 'test' ? 'simulated' : 'live' },
        facts,
        null,
      );
      const expected = verdict.kind === 'refused' ? verdict.code : null;
      const wallet = { balanceMicros, paused };
      expect(orderBlocker({ mode, planStatus, wallet, testOrders })).toBe(expected);
    }),
  );
});

test('a wallet that cannot be read blocks live orders only', () => {
  const account = { planStatus: 'active', wallet: null, testOrders: 0 } as const;
  expect(orderBlocker({ ...account, mode: 'live' })).toBe('wallet_unavailable');
  expect(orderBlocker({ ...account, mode: 'test' })).toBeNull();
});
