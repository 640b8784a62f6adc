// What an operator does to wallets, and the proof that they add up.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adjustWallet } from '../../domain/billing/adjust-wallet.ts';
import { depositCredit } from '../../domain/billing/deposit-credit.ts';
import { listLedger } from '../../domain/billing/ledger-queries.ts';
import { proveLately, proveWallets } from '../../domain/billing/prove-wallets.ts';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));

let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx, { balanceMicros: 0 });
});

const by = { note: 'wire of Monday', madeBy: 'ops' };

function deposit(amountCents: number, key?: string) {
  return depositCredit(system.ctx, { workspaceId: workspace.id, amountCents, key, ...by });
}

function adjust(amountCents: number, key?: string, note = 'goodwill') {
  return adjustWallet(system.ctx, {
    workspaceId: workspace.id,
    amountCents,
    key,
    note,
    madeBy: 'ops',
  });
}

const balance = async () => (await readWallet(system.ctx, workspace.id)).balanceMicros;

async function expectProven() {
  expect(await proveWallets(system.ctx, workspace.id)).toEqual({ wallets: 1, broken: [] });
}

describe('a deposit', () => {
  it('is in the wallet, with its note and its author in the ledger', async () => {
    expect(await deposit(5_000)).toBe('done');
    expect(await balance()).toBe(50_000_000);
    expect(await listLedger(system.ctx.db, { workspaceId: workspace.id, max: 9 })).toEqual([
      expect.objectContaining({ kind: 'deposit', amountMicros: 50_000_000, ...by }),
    ]);
    await expectProven();
  });

  it('twice with one key is one, also at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => deposit(5_000, 'wire 7')));
    expect(answers.toSorted()).toEqual(['done', ...Array.from({ length: 7 }, () => 'repeated')]);
    expect(await balance()).toBe(50_000_000);
    await expectProven();
  });

  it('with the key of another amount is refused', async () => {
    await deposit(5_000, 'wire 8');
    await expect(deposit(6_000, 'wire 8')).rejects.toMatchObject({
      code: 'idempotency_key_conflict',
    });
    expect(await balance()).toBe(50_000_000);
  });

  it('that is the first must be $50; the refusal names the field', async () => {
    await expect(deposit(4_999)).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'amount_cents: the first deposit must be at least 5000 cents ($50.00).',
    });
    expect(await balance()).toBe(0);
    await deposit(5_000);
    await deposit(1);
    expect(await balance()).toBe(50_010_000);
  });

  it('that is one of two racing first ones under $50 is refused like the other', async () => {
    const answers = await Promise.allSettled([deposit(3_000), deposit(3_000)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await balance()).toBe(0);
  });

  it.each([0, -5_000, 0.5, Number.NaN, 1e12])('of %d cents is refused', async (cents) => {
    await expect(deposit(cents)).rejects.toThrow(/^amount_cents: /);
  });

  it('to a workspace that does not exist is not found', async () => {
    const nowhere = { workspaceId: 'wsp_none', amountCents: 5_000, ...by };
    await expect(depositCredit(system.ctx, nowhere)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an adjustment', () => {
  it('goes either way and says why', async () => {
    await deposit(5_000);
    await adjust(250);
    await adjust(-1_000);
    expect(await balance()).toBe(42_500_000);
    await expect(adjust(100, undefined, ' ')).rejects.toThrow(/^note: /);
    await expectProven();
  });

  it('never takes more than there is', async () => {
    await deposit(5_000);
    await expect(adjust(-5_001)).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect(await balance()).toBe(50_000_000);
    await adjust(-5_000);
    expect(await balance()).toBe(0);
    await expectProven();
  });

  it('twice with one key is one', async () => {
    expect([await adjust(100, 'a'), await adjust(100, 'a')]).toEqual(['done', 'repeated']);
    await expect(adjust(-100, 'a')).rejects.toMatchObject({ code: 'idempotency_key_conflict' });
    expect(await balance()).toBe(1_000_000);
  });
});

describe('the ledger', () => {
  it.each(['ledger_transfers', 'ledger_entries'])('%s only grows', async (table) => {
    await deposit(5_000);
    const { db } = system.ctx;
    await expect(db`delete from ${db(table)}`).rejects.toThrow('only grows');
    await expect(db`update ${db(table)} set amount_micros = 1`).rejects.toThrow('only grows');
    await expect(db`truncate ${db(table)} cascade`).rejects.toThrow('only grows');
  });

  it('is proved over all its years, and each hour only where it may have changed', async () => {
    const { db } = system.ctx;
    await deposit(5_000);
    const insertHalf = (id: string, daysAgo: number) => db`
      insert into ledger_transfers (workspace_id, id, kind, idempotency_key, amount_micros,
        created_at)
      values (${workspace.id}, ${id}, 'text', ${id}, 9,
        ${clock.now()}::timestamptz - ${daysAgo} * interval '1 day')`;
    await insertHalf('trf_old', 1_000);
    expect(await proveWallets(system.ctx, workspace.id)).toMatchObject({
      broken: [{ problems: ['1 transfers are not balanced'] }],
    });
    const lately = async () =>
      (await proveLately(system.ctx)).broken.filter((one) => one.workspaceId === workspace.id);
    expect(await lately()).toEqual([]);
    await insertHalf('trf_new', 1);
    expect(await lately()).toMatchObject([{ problems: ['1 transfers are not balanced'] }]);
  });

  it('that does not add up is found, and so is a hold of no call', async () => {
    const { db } = system.ctx;
    await deposit(5_000);
    await db`update wallets set balance_micros = balance_micros - 1, held_micros = 5
      where workspace_id = ${workspace.id}`;
    await db`
      insert into holds (workspace_id, attempt_id, amount_micros, minutes, minute_price_micros,
        created_at) values (${workspace.id}, 'att_none', 7, 1, 7, ${clock.now()})`;
    await db`
      insert into ledger_transfers (workspace_id, id, kind, idempotency_key, amount_micros,
        attempt_id, created_at)
      values (${workspace.id}, 'trf_half', 'call', 'call', 9, 'att_none', ${clock.now()})`;
    const { broken } = await proveWallets(system.ctx);
    expect(broken.filter((one) => one.workspaceId === workspace.id)).toEqual([
      {
        workspaceId: workspace.id,
        problems: [
          'the balance is 49999999 micros, the ledger sums to 50000000',
          '5 micros are held, open holds sum to 7',
          '1 transfers are not balanced',
          '1 calls cost something else than the ledger took',
          '1 holds do not belong to exactly the live calls',
        ],
      },
    ]);
  });
});
