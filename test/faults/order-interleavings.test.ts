// Whatever happens to an order, in whatever order, and whoever dies on the way: what was promised holds.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCallDesk } from '../../domain/attempts/create-call-desk.ts';
import { findNextDue } from '../../domain/orders/due-queries.ts';
import { turnableClock } from '../../platform/clock.ts';
import { talkKinds } from '../support/talk-reports.ts';
import { crashingDatabase, type CrashPoint } from '../support/crashing-database.ts';
import { createWorkspace } from '../support/factories.ts';
import {
  expectAllOver,
  expectEventsAsSpecified,
  expectMoneyIsWhole,
  expectTextsPaidAsSent,
  installAudit,
} from '../support/order-audit.ts';
import { OrderWorld } from '../support/order-world.ts';
import { createScriptedCarrier, placings, textings } from '../support/scripted-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const runs = Number(process.env['PROPERTY_RUNS'] ?? 40);
const scenesMax = 12;
const never = new Date('9999-01-01T00:00:00Z');
/** Three dials per number and day let the last of many orders wait for days. */
const dueTimesMax = 600;

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let system: TestContext;

beforeAll(async () => {
  system = await createTestContext({ clock });
  await installAudit(system.ctx.db);
});
afterAll(() => system.close());

type Network = ReturnType<typeof createScriptedCarrier>;
interface Step {
  readonly what: string;
  readonly run: (world: OrderWorld, network: Network, crash: CrashPoint | null) => unknown;
}

const choice = fc.nat(7);
const copies = fc.constantFrom(1, 1, 3);
const phone = fc.constantFrom('+12125550101', '+12125550102');
const simulatedPhone = fc.constantFrom('+12125550001', '+12125550002', '+12125550003');
const step = <Args>(
  what: string,
  args: fc.Arbitrary<Args>,
  run: (args: Args) => Step['run'],
): fc.Arbitrary<Step> =>
  args.map((given) => ({ what: `${what} ${JSON.stringify(given)}`, run: run(given) }));

const intake = step(
  'intake',
  fc.constantFrom(true, false, false, false).chain((simulated) =>
    fc.record({
      simulated: fc.constant(simulated),
      phone: simulated ? simulatedPhone : phone,
      maxAttempts: fc.integer({ min: 1, max: 3 }),
      texts: fc.boolean(),
    }),
  ),
  (wish) => (world, _network, crash) => world.asProcess(crash, () => world.intake(wish)),
);

const pickUp = step('pick up', choice, (call) => (world) => world.pickUp(call));
const callBack = step(
  'callback',
  fc.tuple(choice, choice, fc.constantFrom(1, 1, 10)),
  ([call, state, count]) =>
    (world, _network, crash) =>
      world.asProcess(crash, () => world.callBack(call, state, count)),
);
const network: fc.Arbitrary<Step>[] = [
  step(
    'next placings',
    fc.array(fc.constantFrom(...placings), { minLength: 1, maxLength: 3 }),
    (all) =>
      (_world, { plan }) =>
        plan.placing.push(...all),
  ),
  step(
    'next texts',
    fc.array(fc.constantFrom(...textings), { minLength: 1, maxLength: 2 }),
    (all) =>
      (_world, { plan }) =>
        plan.texting.push(...all),
  ),
  step(
    'unreachable',
    fc.boolean(),
    (yes) =>
      (_world, { plan }) =>
        (plan.unreachable = yes),
  ),
  pickUp,
  step(
    'end call',
    fc.tuple(choice, fc.constantFrom('busy', 'failed', 'canceled', 'no_answer')),
    ([call, how]) =>
      (world) =>
        world.endCall(call, how),
  ),
  callBack,
  step(
    'machine verdict',
    fc.tuple(choice, fc.constantFrom('person', 'machine', 'unknown')),
    ([call, answeredBy]) =>
      (world, _network, crash) =>
        world.asProcess(crash, () => world.detectMachine(call, answeredBy)),
  ),
];

const socket = step(
  'socket',
  fc.tuple(choice, copies),
  ([call, count]) =>
    (world, _network, crash) =>
      world.asProcess(crash, () => world.admit(call, count)),
);
const talk = (...acts: ('answered' | 'turn' | 'alive' | 'extend')[]) =>
  step(
    'talk',
    fc.tuple(choice, fc.constantFrom(...acts)),
    ([call, act]) =>
      (world, _network, crash) =>
        world.asProcess(crash, () => world.talk(call, act)),
  );
const report = step(
  'report',
  fc.tuple(choice, fc.constantFrom(...talkKinds, 'machine', 'machine'), copies),
  ([call, kind, count]) =>
    (world, _network, crash) =>
      world.asProcess(crash, () => world.report(call, kind, count)),
);
const loseGateway = step('gateway lost', fc.constant(null), () => (world) => world.loseGateway());
const gateway = [socket, talk('answered', 'turn', 'alive', 'extend'), report, loseGateway];

const workspace: fc.Arbitrary<Step>[] = [
  step('opt-out', phone, (number) => (world) => world.optOut(number)),
  step(
    'plan',
    fc.constantFrom('active', 'active', 'past_due', 'inactive'),
    (plan) => (world) => world.setPlan(plan),
  ),
  step('wallet paused', fc.boolean(), (paused) => (world) => world.pauseWallet(paused)),
  step('deposit', fc.constantFrom(150_000, 5_000_000), (sum) => (world) => world.deposit(sum)),
  step('agent', fc.constantFrom(true, true, false), (on) => (world) => world.switchAgent(on)),
];

const time = step(
  'turn',
  fc.constantFrom(1, 5, 30, 46, 61, 300, 3600),
  (seconds) => (world) => world.turn(seconds),
);
const pump = step('pump', fc.constant(null), () => (world, _network, crash) => world.pump(crash));

const crash = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      statement: fc.integer({ min: 1, max: 8 }),
      when: fc.constantFrom<CrashPoint['when']>('before', 'after'),
    }),
  },
);
const happens = (arbitrary: fc.Arbitrary<Step>) => fc.record({ step: arbitrary, crash });
const anything = happens(
  fc.oneof(
    { weight: 2, arbitrary: intake },
    { weight: 6, arbitrary: pump },
    { weight: 4, arbitrary: time },
    { weight: 6, arbitrary: fc.oneof(...network) },
    { weight: 4, arbitrary: fc.oneof(...gateway) },
    { weight: 1, arbitrary: fc.oneof(...workspace) },
  ),
);
/** A call as it goes when nothing goes wrong; what else happens falls between its steps. */
const wholeCall = fc
  .tuple(
    happens(pump),
    happens(pickUp),
    fc.oneof(happens(callBack), anything),
    happens(socket),
    fc.oneof(happens(talk('answered')), anything),
    fc.oneof(happens(time), happens(talk('extend'))),
    happens(talk('turn', 'alive')),
    anything,
    fc
      .oneof({ weight: 4, arbitrary: report }, loseGateway)
      .chain((end) => happens(fc.constant(end))),
  )
  .map((steps) => [...steps]);
const story = fc.record({
  balanceMicros: fc.constantFrom(1_000_000, 1_200_000, 100_000_000),
  first: fc.array(intake, { minLength: 1, maxLength: 3 }),
  scenes: fc.array(
    fc.oneof(
      wholeCall,
      anything.map((one) => [one]),
    ),
    { minLength: 1, maxLength: scenesMax, size: 'max' },
  ),
});

async function openWorld(balanceMicros: number) {
  const network = createScriptedCarrier(clock);
  const database = crashingDatabase(system.ctx.db);
  const ctx = { ...system.ctx, db: database.db, carrier: network.carrier };
  const desk = await createCallDesk(ctx);
  const workspace = await createWorkspace(ctx, { balanceMicros });
  const parts = { ctx, desk, clock, database, network, workspace };
  return { ctx, desk, network, workspace, world: new OrderWorld(parts) };
}

type Opened = Awaited<ReturnType<typeof openWorld>>;

async function expectWhatAlwaysHolds({ network, workspace }: Opened) {
  const { ctx } = system;
  expect(network.violations).toEqual([]);
  expect(new Set(network.textsAsked).size).toBe(network.textsAsked.length);
  await expectMoneyIsWhole(ctx, workspace.id);
  await expectTextsPaidAsSent(ctx, workspace.id);
  await expectEventsAsSpecified(ctx, workspace.id);
  const orders = await ctx.db<{ id: string; maxAttempts: number; counted: number }[]>`
    select id, max_attempts, (select count(*)::int from attempts a
      where a.workspace_id = o.workspace_id and a.order_id = o.id and a.state <> 'not_placed')
      as counted
    from orders o where workspace_id = ${workspace.id}`;
  for (const { id, maxAttempts, counted } of orders) {
    const rings = network.calls.filter(({ ref }) => ref.orderId === id).length;
    expect(counted).toBeLessThanOrEqual(maxAttempts);
    expect(rings).toBeLessThanOrEqual(maxAttempts);
  }
}

/** Deliveries have their own schedule, so they are put aside. */
async function nextDue(workspaceId: string): Promise<Date | null> {
  await system.ctx.db`
    update deliveries set state = 'delivered', next_attempt_at = null
    where workspace_id = ${workspaceId} and state = 'due'`;
  const due = await findNextDue(system.ctx.db, clock.now());
  return due && due < never ? due : null;
}

/** Every process and gateway is gone; only time passes, and money is there again. */
async function letTimePass({ world, network, workspace }: Opened) {
  world.loseGateway();
  network.plan.unreachable = false;
  await world.setPlan('active');
  await world.pauseWallet(false);
  await world.deposit(100_000_000);
  for (let times = 0; times < dueTimesMax; times++) {
    const due = await nextDue(workspace.id);
    if (!due) return;
    await world.turn(Math.max(0, (due.getTime() - clock.now().getTime()) / 1000));
    await world.pump(null);
  }
  throw new Error('The orders never end.');
}

/** A story that failed must not disturb the next one. */
async function putAside(workspaceId: string) {
  const { db } = system.ctx;
  await db`update orders set lease_until = ${never}
    where workspace_id = ${workspaceId} and next_dial_at is not null`;
  await db`update attempts set lease_until = ${never}
    where workspace_id = ${workspaceId} and watch_at is not null`;
}

it('holds in every interleaving', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ balanceMicros, first, scenes }) => {
      const opened = await openWorld(balanceMicros);
      const { world, network } = opened;
      try {
        for (const { run } of first) await run(world, network, null);
        for (const { step: next, crash: point } of scenes.flat()) {
          await next.run(world, network, point);
          await expectWhatAlwaysHolds(opened);
        }
        await letTimePass(opened);
        await expectWhatAlwaysHolds(opened);
        await expectAllOver(system.ctx, opened.workspace.id);
      } finally {
        await putAside(opened.workspace.id);
        await opened.desk[Symbol.asyncDispose]();
      }
    }),
    // What is still being shrunk by then is told as it stands.
    { numRuns: runs, interruptAfterTimeLimit: 240_000 },
  );
});
