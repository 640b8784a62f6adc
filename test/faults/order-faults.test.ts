// Faults of orders that need no process to be killed: lost replies, database errors, floods, money and opt-outs.
// F08 to F10, F16, F19: stopped-processes.test.ts. F11, F17, F18, F22, F35, F42, F43, F56 to F62: here; F18 in every
// interleaving: order-interleavings.test.ts. F34, F36 to F41: carrier-faults.test.ts. F44: flows/call-analysis.test.ts.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyCarrierEvent } from '../../domain/attempts/apply-carrier-event.ts';
import { turnableClock } from '../../platform/clock.ts';
import { answerCall, endTalk, placeOrder, say, type CallScene } from '../support/answered-call.ts';
import { crashingDatabase, type CrashPoint } from '../support/crashing-database.ts';
import { createWorkspace } from '../support/factories.ts';
import {
  expectAllOver,
  expectEventsAsSpecified,
  expectMoneyIsWhole,
  installAudit,
} from '../support/order-audit.ts';
import { letTimePassUntil, lookOnce } from '../support/quiet-time.ts';
import { createScriptedCarrier, isUp, stateOf } from '../support/scripted-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let system: TestContext;
let scene: CallScene;

beforeAll(async () => {
  system = await createTestContext({ clock });
  await installAudit(system.ctx.db);
});
afterAll(() => system.close());
beforeEach(() => openScene());

async function openScene(balanceMicros = 100_000_000) {
  const network = createScriptedCarrier(clock);
  const ctx = { ...system.ctx, carrier: network.carrier };
  const workspace = await createWorkspace(ctx, { balanceMicros });
  scene = { system: { ...system, ctx }, clock, network, workspace };
}

type Placed = Awaited<ReturnType<typeof placeOrder>>;

const phoneOf = (index: number) => `+1212555${String(1_000 + index)}`;
const oneAttempt = { max_attempts: 1, send_sms_on_voicemail: false };
const place = (index = 101, change: Record<string, unknown> = {}) =>
  placeOrder(scene, {
    lead: { phone: phoneOf(index) },
    webhook_url: 'https://receiver.invalid/hook',
    cadence: oneAttempt,
    ...change,
  });

/** Time passes until the order is final; then nothing is held and every event was sent once. */
async function expectEnd(order: Placed, end: Record<string, unknown>) {
  await letTimePassUntil(scene, async () => (await order.read()).final);
  expect(await order.read()).toMatchObject({ final: true, ...end });
  await expectAllOver(system.ctx, scene.workspace.id);
  await expectEventsAsSpecified(system.ctx, scene.workspace.id);
  expect(scene.network.violations).toEqual([]);
}

const stateOfFirst = (order: Placed) => system.ctx.db<{ state: string; carrierState: string }[]>`
  select state, carrier_state from attempts where order_id = ${order.id} order by created_at`;

describe('F17, F18: a connection dies at any statement, before it or with its reply', () => {
  const points = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((statement): CrashPoint[] => [
    { statement, when: 'before' },
    { statement, when: 'after' },
  ]);

  /** The same scene with a worker or gateway that dies there. */
  function mortal(point: CrashPoint): CallScene {
    const database = crashingDatabase(scene.system.ctx.db);
    database.arm(point);
    return { ...scene, system: { ...scene.system, ctx: { ...scene.system.ctx, db: database.db } } };
  }

  it.each(points)('of a dial: $when statement $statement', async (point) => {
    const order = await place();
    await lookOnce(mortal(point)).catch(() => {});
    await expectMoneyIsWhole(system.ctx, scene.workspace.id);
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer', attempt_number: 1 });
    expect(scene.network.calls).toHaveLength(1);
  });

  it.each(points)('of the report of a talk: $when statement $statement', async (point) => {
    const order = await place();
    await lookOnce(scene);
    const answered = await answerCall(scene);
    await say(scene, answered.brief, ['No.']);
    await endTalk(mortal(point), answered, 'not_interested').catch(() => {});
    await expectMoneyIsWhole(system.ctx, scene.workspace.id);
    // The gateway tries again.
    await endTalk(scene, answered, 'not_interested');
    await expectEnd(order, { status: 'DISQUALIFIED', reason: 'not_interested', charged_cents: 15 });
  });
});

describe('F11: a worker stands still after the dial began, until the watchdog gave the order away', () => {
  it('rings no more when it wakes', async () => {
    const order = await place();
    const begunAt = clock.now();
    let told = 0;
    const slow = { ...clock, now: () => (told++ < 2 ? begunAt : clock.now()) };
    const sleeper = {
      ...scene,
      system: { ...scene.system, ctx: { ...scene.system.ctx, clock: slow } },
    };
    await clock.turn(21_000);
    await lookOnce(sleeper);
    expect(scene.network.calls).toHaveLength(0);
    expect(await order.read()).toMatchObject({ status: 'QUEUED', attempt_number: 0 });
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer', attempt_number: 1 });
    expect(scene.network.calls).toHaveLength(1);
  });

  it('a call whose placing was told too late is hung up', async () => {
    const order = await place();
    const { carrier } = scene.network;
    const honest = { ...carrier };
    carrier.placeCall = async (request) => {
      const result = await honest.placeCall(request);
      scene.network.pickUp();
      // Meanwhile the carrier did not list the call, and the watchdog took it for one that never was.
      carrier.findCall = async () => ({ kind: 'none' });
      await clock.turn(46_000);
      await lookOnce(scene);
      Object.assign(carrier, honest);
      return result;
    };
    await lookOnce(scene);
    expect(scene.network.calls.map(stateOf)).toEqual(['completed']);
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer' });
  });
});

describe('F22: the database answers with deadlocks', () => {
  it('every third move is refused, and all orders end as if none had been', async () => {
    const { db } = system.ctx;
    await db.unsafe(`
      create sequence refusals;
      create function refuse_some() returns trigger language plpgsql as $$ begin
        if nextval('refusals') % 3 = 0 then raise exception 'planned' using errcode = '40P01'; end if;
        return new; end $$;
      create trigger refuse_some before update on orders for each row
        when (old.version is distinct from new.version) execute function refuse_some();`);
    const orders = [await place(1), await place(2), await place(3)];
    for (let look = 0; look < 40; look++) {
      await lookOnce(scene).catch(() => {});
      await clock.turn(61_000);
    }
    await db`drop trigger refuse_some on orders`;
    for (const order of orders) await expectEnd(order, { status: 'FAILED', reason: 'no_answer' });
    expect(scene.network.calls).toHaveLength(3);
  });
});

describe('F35: the request to place a call is lost', () => {
  it('the order is dialled once more, and the lost one is not counted', async () => {
    scene.network.plan.placing.push('request_lost');
    const order = await place();
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer', attempt_number: 1 });
    expect(scene.network.calls).toHaveLength(1);
  });
});

describe('F42: callbacks that are not for this call', () => {
  it('of another call or of a workspace that does not have the attempt change nothing', async () => {
    const order = await place();
    await lookOnce(scene);
    const [call] = scene.network.calls;
    if (!call) throw new Error('A phone rings.');
    const told = { kind: 'call_state', state: 'busy', durationSeconds: null } as const;
    const stranger = { ...told, eventId: 'e1', carrierCallId: 'CA-of-somebody-else' };
    await applyCarrierEvent(scene.system.ctx, call.ref, stranger);
    const elsewhere = { ...call.ref, workspaceId: 'wsp_other' };
    const own = { ...told, eventId: 'e2', carrierCallId: call.id };
    await applyCarrierEvent(scene.system.ctx, elsewhere, own);
    expect((await order.read()).status).toBe('DIALING');
    await expectEnd(order, { status: 'FAILED' });
  });

  it('replayed a day later change nothing', async () => {
    const order = await place();
    await lookOnce(scene);
    const [call] = scene.network.calls;
    if (!call) throw new Error('A phone rings.');
    const own = { kind: 'call_state', durationSeconds: null, carrierCallId: call.id } as const;
    const busy = { ...own, state: 'busy' as const, eventId: 'e1' };
    await applyCarrierEvent(scene.system.ctx, call.ref, busy);
    const before = await order.read();
    await clock.turn(86_400_000);
    await applyCarrierEvent(scene.system.ctx, call.ref, busy);
    const late = { ...own, state: 'completed' as const, eventId: 'e2', durationSeconds: 600 };
    await applyCarrierEvent(scene.system.ctx, call.ref, late);
    expect(await order.read()).toEqual(before);
    await expectEnd(order, { status: 'FAILED', charged_cents: 0 });
  });
});

describe('F43: five hundred callbacks of one call at once', () => {
  it('one effect', async () => {
    const order = await place();
    await lookOnce(scene);
    const [call] = scene.network.calls;
    if (!call) throw new Error('A phone rings.');
    call.states.push('busy');
    const states = ['ringing', 'in_progress', 'busy', 'no_answer', 'queued'] as const;
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        applyCarrierEvent(scene.system.ctx, call.ref, {
          kind: 'call_state',
          eventId: `event-${index % 50}`,
          carrierCallId: call.id,
          state: states[index % states.length] ?? 'busy',
          durationSeconds: null,
        }),
      ),
    );
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer', attempt_number: 1 });
    expect(await stateOfFirst(order)).toHaveLength(1);
  });
});

describe('F56: two workers and many due orders', () => {
  it('never are more calls live than the workspace may have', async () => {
    const orders = await Promise.all(Array.from({ length: 60 }, (_, index) => place(index)));
    let most = 0;
    for (let look = 0; look < 40; look++) {
      await Promise.all([lookOnce(scene), lookOnce(scene), lookOnce(scene)]);
      most = Math.max(most, scene.network.calls.filter(isUp).length);
      await clock.turn(20_000);
    }
    expect(most).toBe(10);
    for (const order of orders) expect((await order.read()).final).toBe(true);
    expect(scene.network.calls).toHaveLength(60);
    await expectAllOver(system.ctx, scene.workspace.id);
  });
});

describe('F57, F58: a wallet of one dollar and thirty due orders', () => {
  it('as many ring as it can hold, the others tell once that they wait, and a deposit lets them go', async () => {
    await openScene(1_000_000);
    await system.ctx
      .db`update workspaces set live_call_limit = 100 where id = ${scene.workspace.id}`;
    const orders = await Promise.all(Array.from({ length: 30 }, (_, index) => place(index)));
    await lookOnce(scene);
    expect(scene.network.calls).toHaveLength(6);
    await clock.turn(10_000);
    for (const call of scene.network.calls)
      await applyCarrierEvent(scene.system.ctx, call.ref, {
        kind: 'call_state',
        eventId: 'ringing',
        carrierCallId: call.id,
        state: 'ringing',
        durationSeconds: null,
      });
    for (let minute = 0; minute < 3; minute++) {
      await lookOnce(scene);
      await expectEventsAsSpecified(system.ctx, scene.workspace.id);
    }
    const waiting = await system.ctx.db`
      select id from orders where workspace_id = ${scene.workspace.id}
        and reason = 'waiting_for_balance'`;
    expect(waiting).toHaveLength(24);
    await system.ctx.db`select deposit(${scene.workspace.id}, 'trf_more', 'more', 50000000::bigint,
      ${clock.now()})`;
    for (const order of orders)
      await letTimePassUntil(scene, async () => (await order.read()).final);
    expect(scene.network.calls).toHaveLength(30);
    await expectAllOver(system.ctx, scene.workspace.id);
    await expectEventsAsSpecified(system.ctx, scene.workspace.id);
  });
});

describe('F59: a talk that runs past what is held', () => {
  it('is charged what was held, and the wallet is never overdrawn', async () => {
    const order = await place();
    await lookOnce(scene);
    const answered = await answerCall(scene);
    await say(scene, answered.brief, ['Go on.']);
    await clock.turn(590_000);
    await endTalk(scene, answered, 'undecided');
    expect(await order.read()).toMatchObject({ charged_cents: 15, billed_minutes: 1 });
    await expectEnd(order, { status: 'FAILED', reason: 'inconclusive' });
  });
});

describe('F60: the number goes on do-not-contact', () => {
  const suppress = (phone: string) => system.ctx.db`
    select suppress_number(${scene.workspace.id}, ${phone}, 'said', null, null, ${clock.now()})`;

  it('between the order and its dial: no phone rings', async () => {
    const order = await place(7);
    await suppress(phoneOf(7));
    await expectEnd(order, { status: 'FAILED', reason: 'do_not_contact', attempt_number: 0 });
    expect(scene.network.calls).toHaveLength(0);
  });

  it('between two attempts: the second never comes, and the order ends now', async () => {
    const cadence = { max_attempts: 3, retry_interval_minutes: 10_080 };
    const order = await place(7, { cadence });
    await letTimePassUntil(scene, async () => (await order.read()).status === 'RETRY_SCHEDULED');
    await suppress(phoneOf(7));
    await lookOnce(scene);
    expect(await order.read()).toMatchObject({ status: 'FAILED', reason: 'do_not_contact' });
    await expectEnd(order, { attempt_number: 1 });
    expect(scene.network.calls).toHaveLength(1);
  });
});

describe('F61: the do-not-contact list cannot be read', () => {
  it('nothing is dialled and nothing is lost', async () => {
    const order = await place();
    await system.ctx.db`alter table do_not_contact rename to list_away`;
    for (let look = 0; look < 3; look++) {
      await lookOnce(scene).catch(() => {});
      await clock.turn(61_000);
    }
    expect(await order.read()).toMatchObject({ status: 'QUEUED', attempt_number: 0 });
    expect(scene.network.calls).toHaveLength(0);
    await system.ctx.db`alter table list_away rename to do_not_contact`;
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer', attempt_number: 1 });
  });
});

describe('F62: the agent is switched off, the key revoked', () => {
  it('an agent that is off dials no more', async () => {
    const order = await place();
    await system.ctx
      .db`update agents set active = false where workspace_id = ${scene.workspace.id}`;
    await expectEnd(order, { status: 'FAILED', reason: 'agent_inactive', attempt_number: 0 });
    expect(scene.network.calls).toHaveLength(0);
  });

  it('a revoked key takes no new orders; what it ordered is done', async () => {
    const order = await place();
    await system.ctx.db`
      update api_keys set revoked_at = ${clock.now()} where workspace_id = ${scene.workspace.id}`;
    await expectEnd(order, { status: 'FAILED', reason: 'no_answer', attempt_number: 1 });
  });
});
