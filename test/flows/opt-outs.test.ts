// An opt-out, from wherever it comes: what it ends, what it leaves alone, and that nothing gets past it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { addNumber } from '../../domain/do-not-contact/add-number.ts';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { applyCarrierEvent } from '../../domain/attempts/apply-carrier-event.ts';
import { admitCall } from '../../domain/attempts/admit-call.ts';
import { createCallDesk } from '../../domain/attempts/create-call-desk.ts';
import { authenticateKey } from '../../domain/workspaces/authenticate-key.ts';
import { turnableClock } from '../../platform/clock.ts';
import { callReport, machineReport } from '../support/call-report.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { createKeptCarrier } from '../support/kept-carrier.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const phone = '+12125550123';
const owner = { userId: 'usr_1', role: 'owner' } as const;
const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let network: ReturnType<typeof createKeptCarrier>;
let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({
    clock,
    // Each test has its own.
    carrier: {
      name: 'kept',
      placeCall: (request) => network.carrier.placeCall(request),
      findCall: (query) => network.carrier.findCall(query),
      endCall: (id) => network.carrier.endCall(id),
      sendText: (request) => network.carrier.sendText(request),
    },
  });
});
afterAll(() => system.close());
beforeEach(async () => {
  network = createKeptCarrier();
  workspace = await createWorkspace(system.ctx);
});

async function order(change: Record<string, unknown> = {}, keyText = workspace.liveKey) {
  const key = await authenticateKey(system.ctx, `Bearer ${keyText}`);
  if (!key) throw new Error('The key of the factory is good.');
  const body = orderBody(workspace, {
    lead: { phone, first_name: 'Dana' },
    webhook_url: 'http://127.0.0.1:1/hook',
    ...change,
  });
  const { accepted } = await acceptOrder(system.ctx, key, {
    order: body as never,
    idempotencyKey: null,
  });
  return accepted.order_id;
}

async function stateOf(orderId: string) {
  const [row] = await system.ctx.db<{ status: string; reason: string | null; events: string[] }[]>`
    select status, reason, (select array_agg(event order by event desc) from deliveries d
      where d.workspace_id = o.workspace_id and d.order_id = o.id) as events
    from orders o where workspace_id = ${workspace.id} and id = ${orderId}`;
  return row;
}

const listed = () => system.ctx.db`
  select source, quote, order_id, actor from do_not_contact where workspace_id = ${workspace.id}`;
const history = () => system.ctx.db`
  select action, source from do_not_contact_history
  where workspace_id = ${workspace.id} order by position`;
const add = () =>
  addNumber(system.ctx, workspace.id, { by: owner, typed: phone, reason: 'asked by mail' });

/** One call that nobody answered, so that the order waits for its next attempt. */
async function waitingOrder() {
  const id = await order();
  await system.drain();
  await tell(id, 'no_answer');
  return id;
}

async function tell(
  orderId: string,
  state: 'no_answer' | 'canceled',
  attemptId = network.calls.at(-1)?.attemptId ?? '',
) {
  await applyCarrierEvent(
    system.ctx,
    { workspaceId: workspace.id, orderId, attemptId },
    {
      kind: 'call_state',
      eventId: `${attemptId}:${state}`,
      carrierCallId: `CA${attemptId}`,
      state,
      durationSeconds: 0,
    },
  );
}

const failed = { status: 'FAILED', reason: 'do_not_contact' };

describe('a number put on the list', () => {
  it('ends its waiting orders without the clock moving, each with one completed event', async () => {
    const first = await waitingOrder();
    const second = await order();
    await add();
    await system.drain();
    expect(await stateOf(first)).toEqual({
      ...failed,
      events: ['order.updated', 'order.completed'],
    });
    expect(await stateOf(second)).toEqual({ ...failed, events: ['order.completed'] });
    expect(network.callsTo(phone)).toHaveLength(1);
  });

  it('ends an order that waits after a voicemail text, without an update before', async () => {
    const id = await order();
    await system.drain();
    await endAtMachine(id);
    expect(await stateOf(id)).toMatchObject({ status: 'VOICEMAIL_SMS_SENT', events: null });
    await add();
    await system.drain();
    expect(await stateOf(id)).toEqual({ ...failed, events: ['order.completed'] });
  });

  it('leaves simulated orders and other workspaces alone', async () => {
    const simulated = await order({}, workspace.testKey);
    const mine = workspace;
    workspace = await createWorkspace(system.ctx);
    const others = await waitingOrder();
    await addNumber(system.ctx, mine.id, { by: owner, typed: phone, reason: null });
    await system.drain();
    expect(await stateOf(others)).toMatchObject({ status: 'RETRY_SCHEDULED' });
    workspace = mine;
    expect(await stateOf(simulated)).toMatchObject({ status: 'QUEUED' });
  });

  it('ends a phone that still rings, and the order with it', async () => {
    const id = await order();
    await system.drain();
    await add();
    expect(network.endedCalls).toEqual([`CA${network.calls[0]?.attemptId}`]);
    await tell(id, 'canceled');
    expect(await stateOf(id)).toEqual({ ...failed, events: ['order.completed'] });
  });

  it('does not cut a talk short, which ends by its own words', async () => {
    const { id, call } = await answeredCall();
    await add();
    await system.drain();
    expect(network.endedCalls).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ status: 'IN_PROGRESS' });
    await using desk = await createCallDesk(system.ctx);
    await desk.optOut(call, 'stop_calling', 'stop calling me');
    await desk.finish(call, callReport(clock.now(), { optedOut: 'stop_calling' }));
    expect(await stateOf(id)).toEqual({
      status: 'DISQUALIFIED',
      reason: 'do_not_contact',
      events: ['order.completed'],
    });
  });

  it('lets no undecided talk be tried again', async () => {
    const { id, call } = await answeredCall();
    await add();
    await using desk = await createCallDesk(system.ctx);
    await desk.finish(call, callReport(clock.now(), { personSpoke: false }));
    expect(await stateOf(id)).toEqual({ ...failed, events: ['order.completed'] });
  });
});

it('an opt-out that races with the end of an attempt leaves no order waiting', async () => {
  await system.ctx.db`update workspaces set live_call_limit = 100 where id = ${workspace.id}`;
  const phones = Array.from({ length: 30 }, (_, n) => `+1212555${String(3_000 + n)}`);
  const orders = await Promise.all(
    phones.map(async (number) => ({ number, id: await order({ lead: { phone: number } }) })),
  );
  await system.drain();
  await Promise.all(
    orders.flatMap(({ number, id }, n) => {
      const attemptId = network.callsTo(number)[0]?.attemptId;
      const optOut = () =>
        addNumber(system.ctx, workspace.id, { by: owner, typed: number, reason: null });
      const end = () => tell(id, 'no_answer', attemptId);
      return n % 2 === 0 ? [end(), optOut()] : [optOut(), end()];
    }),
  );
  await system.drain();
  const rest = await system.ctx.db`
    select status, reason, count(*)::int as orders from orders
    where workspace_id = ${workspace.id} group by status, reason`;
  expect(rest).toEqual([{ ...failed, orders: 30 }]);
  const events = await system.ctx.db`
    select order_id from deliveries
    where workspace_id = ${workspace.id} and event = 'order.completed'`;
  expect(new Set(events.map((row) => row['orderId'])).size).toBe(events.length);
});

describe('between the commit of a dial and the request to the carrier', () => {
  it('an opt-out stops the call: not placed, hold released, failed once', async () => {
    const id = await order();
    const stop = await listWithNextIntent();
    await system.drain();
    await stop();
    expect(network.callsTo(phone)).toEqual([]);
    expect(await stateOf(id)).toEqual({ ...failed, events: ['order.completed'] });
    const [attempt] = await system.ctx.db`
      select state, outcome from attempts where workspace_id = ${workspace.id}`;
    expect(attempt).toEqual({ state: 'not_placed', outcome: 'not_placed' });
    expect(await readWallet(system.ctx, workspace.id)).toMatchObject({
      balanceMicros: 100_000_000,
      heldMicros: 0,
      openHoldsMicros: 0,
    });
    const [{ attemptNumber } = { attemptNumber: -1 }] = await system.ctx.db<
      { attemptNumber: number }[]
    >`select attempt_number from orders where id = ${id}`;
    expect(attemptNumber).toBe(0);
  });
});

it('an opt-out while the carrier is being asked ends the call that it placed', async () => {
  network.answerCallsWith(async ({ attemptId }) => {
    await add();
    return { kind: 'placed', carrierCallId: `CA${attemptId}` };
  });
  const id = await order();
  await system.drain();
  expect(network.endedCalls).toEqual([`CA${network.calls[0]?.attemptId}`]);
  await tell(id, 'canceled');
  expect(await stateOf(id)).toEqual({ ...failed, events: ['order.completed'] });
});

describe('a carrier that knows of an opt-out', () => {
  it('at the call: the number is listed and the order fails without another try', async () => {
    network.answerCallsWith(() => ({ kind: 'refused', why: 'do_not_contact', code: '21610' }));
    const id = await order();
    await system.drain();
    expect(await stateOf(id)).toEqual({ ...failed, events: ['order.completed'] });
    expect(await listed()).toEqual([{ source: 'carrier', quote: null, orderId: id, actor: null }]);
    expect(network.callsTo(phone)).toHaveLength(1);
  });

  it('at the text: the number is listed, the text is refunded, the waiting order fails', async () => {
    network.answerTextsWith(() => ({ kind: 'refused', why: 'do_not_contact', code: '40300' }));
    const id = await order();
    await system.drain();
    await endAtMachine(id);
    await system.drain();
    expect(await listed()).toMatchObject([{ source: 'carrier', orderId: id }]);
    expect(await stateOf(id)).toEqual({ ...failed, events: ['order.completed'] });
    expect((await readWallet(system.ctx, workspace.id)).balanceMicros).toBe(100_000_000);
  });
});

describe('a text that is due', () => {
  it('is not sent to a number on the list, and costs nothing', async () => {
    const id = await order({ cadence: { max_attempts: 1 } });
    await system.drain();
    await endAtMachine(id);
    await add();
    await system.drain();
    expect(network.textsTo(phone)).toEqual([]);
    const [text] = await system.ctx.db`
      select state, refusal from texts where workspace_id = ${workspace.id}`;
    expect(text).toEqual({ state: 'refused', refusal: 'do_not_contact' });
    expect(await readWallet(system.ctx, workspace.id)).toMatchObject({
      balanceMicros: 100_000_000,
      ledgerMicros: 100_000_000,
    });
  });
});

describe('the history of a number', () => {
  it('keeps each wish once, the strictest in force, and cannot be changed', async () => {
    const { id, call } = await answeredCall();
    await using desk = await createCallDesk(system.ctx);
    await add();
    await desk.optOut(call, 'stop_calling', 'stop calling me');
    await desk.optOut(call, 'stop_calling', 'stop calling me now');
    await add();
    expect(await listed()).toEqual([
      { source: 'said', quote: 'stop calling me', orderId: id, actor: null },
    ]);
    expect(await history()).toEqual([
      { action: 'listed', source: 'added' },
      { action: 'listed', source: 'said' },
    ]);
    await expect(system.ctx.db`delete from do_not_contact_history`).rejects.toThrow('only grows');
  });
});

async function endAtMachine(orderId: string) {
  const call = {
    workspaceId: workspace.id,
    orderId,
    attemptId: network.calls.at(-1)?.attemptId ?? '',
  };
  await using desk = await createCallDesk(system.ctx);
  await desk.finish(call, machineReport(clock.now()));
}

async function answeredCall() {
  const id = await order();
  await system.drain();
  const request = network.calls.at(-1);
  const token = request?.mediaUrl.split('/').at(-1) ?? '';
  const admission = await admitCall(system.ctx, token, `CA${request?.attemptId}`);
  if (admission.kind !== 'admitted') throw new Error('The first socket is admitted.');
  await using desk = await createCallDesk(system.ctx);
  await desk.personAnswered(admission.brief, clock.now());
  return { id, call: admission.brief };
}

/** Whoever looks after the next intent was committed finds the number on the list; before, it was not there. */
async function listWithNextIntent() {
  const { db } = system.ctx;
  await db`create or replace function list_for_test() returns trigger language plpgsql as $$
    begin
      perform suppress_number(new.workspace_id, new.phone, 'added', null, null, new.created_at);
      return null;
    end $$`;
  await db`
    create trigger listed_for_test after insert on attempts
    for each row execute function list_for_test()`;
  return () => db`drop trigger listed_for_test on attempts`;
}
