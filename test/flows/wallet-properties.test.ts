// Whatever happens to a wallet, in whatever order and at once: it adds up and is never overdrawn.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adjustWallet } from '../../domain/billing/adjust-wallet.ts';
import { chargeRents } from '../../domain/billing/charge-rents.ts';
import { depositCredit } from '../../domain/billing/deposit-credit.ts';
import { proveWallets } from '../../domain/billing/prove-wallets.ts';
import { AppError } from '../../domain/app-error.ts';
import { finishAttempt, type AttemptEnding } from '../../domain/attempts/finish-attempt.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createNotebookCarrier } from '../support/notebook-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import { insertWaitingOrders } from '../support/waiting-orders.ts';

const dayMs = 86_400_000;
const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let system: TestContext;

beforeAll(async () => {
  system = await createTestContext({ clock, carrier: createNotebookCarrier().carrier });
});
afterAll(() => system.close());

const cents = fc.integer({ min: 1, max: 6_000 });
const key = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  fc.record({ do: fc.constant('deposit'), cents, key }),
  fc.record({ do: fc.constant('adjust'), cents: fc.integer({ min: -6_000, max: 6_000 }), key }),
  fc.record({ do: fc.constant('order'), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('dial') }),
  fc.record({ do: fc.constant('extend') }),
  fc.record({ do: fc.constant('end'), seconds: fc.integer({ min: 0, max: 200 }) }),
  fc.record({ do: fc.constant('rent'), days: fc.integer({ min: 0, max: 90 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** So that no run proves less than it says. */
const everyKind: Step[][] = [
  [{ do: 'order', count: 2 }],
  [{ do: 'dial' }],
  [{ do: 'extend' }, { do: 'adjust', cents: -100, key: 'a' }],
  [
    { do: 'end', seconds: 61 },
    { do: 'rent', days: 45 },
  ],
];

it('holds, charges, deposits, rents and adjustments at once leave a proven wallet', async () => {
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rounds, async (parallelSteps) => {
      const workspace = await createWorkspace(system.ctx, { balanceMicros: 50_000_000 });
      for (const steps of parallelSteps) {
        await Promise.all(steps.map((each) => perform(workspace, each)));
        await expectProven(workspace);
      }
      await endAll(workspace);
      expect((await expectProven(workspace)).held).toBe(0);
    }),
    { numRuns: 40, examples: [[everyKind]] },
  );
  const kinds = await system.ctx.db<{ kind: string }[]>`
    select distinct kind from ledger_transfers order by kind`;
  expect(kinds.map(({ kind }) => kind)).toEqual(['adjustment', 'call', 'deposit', 'rent', 'text']);
});

async function expectProven({ id }: TestWorkspace) {
  expect(await proveWallets(system.ctx, id)).toEqual({ wallets: 1, broken: [] });
  const [wallet] = await system.ctx.db<{ balance: number; held: number }[]>`
    select balance_micros as balance, held_micros as held from wallets where workspace_id = ${id}`;
  if (!wallet) throw new Error('The wallet is there.');
  expect(wallet.balance).toBeGreaterThanOrEqual(wallet.held);
  return wallet;
}

/** A refusal is an answer; any other failure is not. */
async function perform(workspace: TestWorkspace, taken: Step): Promise<void> {
  try {
    await carryOut(workspace, taken);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}

async function carryOut(workspace: TestWorkspace, taken: Step): Promise<unknown> {
  const { ctx } = system;
  const by = { workspaceId: workspace.id, note: 'test', madeBy: 'test' };
  switch (taken.do) {
    case 'deposit':
      return depositCredit(ctx, { ...by, amountCents: taken.cents, key: taken.key });
    case 'adjust':
      return adjustWallet(ctx, { ...by, amountCents: taken.cents, key: taken.key });
    case 'order':
      return insertWaitingOrders(ctx, workspace, taken.count);
    case 'dial':
      return system.drain();
    case 'extend':
      return Promise.all((await liveCalls(workspace)).map((call) => extend(call)));
    case 'end':
      return endCall((await liveCalls(workspace))[0], taken.seconds);
    case 'rent': {
      const later = new Date(clock.now().getTime() + taken.days * dayMs);
      return chargeRents({ ...ctx, clock: turnableClock(later) }, workspace.id);
    }
  }
}

interface LiveCall {
  readonly workspaceId: string;
  readonly orderId: string;
  readonly attemptId: string;
}

async function liveCalls({ id }: TestWorkspace) {
  return system.ctx.db<LiveCall[]>`
    select workspace_id, order_id, id as attempt_id from attempts
    where workspace_id = ${id} and state in ('intent', 'unknown', 'placed', 'answered')
    order by id`;
}

async function extend({ workspaceId, attemptId }: LiveCall) {
  await system.ctx.db`select extend_hold(${workspaceId}, ${attemptId})`;
}

/** Zero seconds is a voicemail, whose text costs too. */
async function endCall(call: LiveCall | undefined, seconds: number) {
  if (!call) return;
  const startedAt = clock.now();
  const endedAt = new Date(startedAt.getTime() + seconds * 1000);
  const talk = seconds === 0 ? null : { startedAt, endedAt };
  const ending: AttemptEnding = {
    outcome: { kind: 'machine' },
    answeredBy: 'machine',
    talk,
    report: null,
  };
  await finishAttempt(system.ctx, call, () => ending);
}

async function endAll(workspace: TestWorkspace) {
  for (const call of await liveCalls(workspace)) await endCall(call, 30);
}
