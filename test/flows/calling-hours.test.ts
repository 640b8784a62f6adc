// Calling hours from intake to the last retry: nobody is rung outside them, nobody waits longer than they last.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallRequest } from '../../domain/calls/carrier.ts';
import { acceptLead } from '../../domain/leads/accept-lead.ts';
import { openTriggerUrl } from '../../domain/leads/open-trigger-url.ts';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { applyCarrierEvent } from '../../domain/attempts/apply-carrier-event.ts';
import { finishAttempt } from '../../domain/attempts/finish-attempt.ts';
import { listOrders } from '../../domain/orders/list-orders.ts';
import { readOrder } from '../../domain/orders/read-order.ts';
import { sandboxPeople } from '../../domain/workspaces/sandbox-people.ts';
import type { Clock } from '../../platform/clock.ts';
import { turnableClock, type TurnableClock } from '../../platform/clock.ts';
import {
  createAgent,
  createWorkspace,
  orderBody,
  type TestWorkspace,
} from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import { createTriggerUrl } from '../support/trigger-url.ts';

const newYork = '+12122340177';
const alabama = '+12052340177';

let turned: TurnableClock;
/** Every test lives at its own time. */
const clock: Clock = {
  now: () => turned.now(),
  monotonicMs: () => turned.monotonicMs(),
  setTimer: (run, delayMs) => turned.setTimer(run, delayMs),
  sleep: (ms, signal) => turned.sleep(ms, signal),
};
let calls: CallRequest[] = [];
let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
  turned = turnableClock(new Date('2026-11-23T15:00:00Z'));
  system = await createTestContext({
    clock,
    carrier: {
      name: 'notebook',
      async placeCall(request) {
        calls.push(request);
        return { kind: 'placed', carrierCallId: `CA${request.attemptId}` };
      },
      findCall: async () => ({ kind: 'none' }),
      endCall: async () => 'already_ended',
      sendText: async ({ textId }) => ({ kind: 'sent', carrierTextId: `SM${textId}` }),
    },
  });
});
afterAll(() => system.close());
beforeEach(async () => {
  await system.ctx.db`update orders set next_dial_at = null, status = 'FAILED', completed_at = now()
    where next_dial_at is not null`;
  calls = [];
});

async function liveAt(time: string) {
  turned = turnableClock(new Date(time));
  workspace = await createWorkspace(system.ctx);
}

const key = (mode: 'live' | 'test' = 'live') =>
  ({ keyId: 'key_test', workspaceId: workspace.id, mode }) as const;

async function order(phone: string, change: Record<string, unknown> = {}, mode?: 'live' | 'test') {
  const consent = {
    opt_in_confirmed: true,
    consented_at: clock.now().toISOString(),
    source: 'https://example.com/form',
  };
  const body = orderBody(workspace, { lead: { phone }, consent, ...change }) as never;
  const { accepted } = await acceptOrder(system.ctx, key(mode), {
    order: body,
    idempotencyKey: null,
  });
  return accepted;
}

async function read(orderId: string) {
  const found = await readOrder(system.ctx, key(), orderId);
  if (!found) throw new Error('The order is there.');
  return found;
}

async function turnTo(time: string) {
  await turned.turn(Date.parse(time) - clock.now().getTime());
  await system.drain();
}

/** The carrier tells how the only call ended. */
async function endCall(orderId: string, state: 'no_answer' | 'busy') {
  const attemptId = calls.at(-1)?.attemptId ?? '';
  await applyCarrierEvent(
    system.ctx,
    { workspaceId: workspace.id, orderId, attemptId },
    {
      kind: 'call_state',
      eventId: `${attemptId}-end`,
      carrierCallId: `CA${attemptId}`,
      state,
      durationSeconds: 0,
    },
  );
}

async function endInVoicemail(orderId: string) {
  const attemptId = calls.at(-1)?.attemptId ?? '';
  await finishAttempt(system.ctx, { workspaceId: workspace.id, orderId, attemptId }, () => ({
    outcome: { kind: 'machine' },
    answeredBy: 'machine',
    talk: null,
    report: null,
  }));
}

const weekdaysNineToFive = [
  null,
  ...Array.from({ length: 5 }, () => ['09:00', '17:00'] as [string, string]),
  null,
];

describe('at intake', () => {
  it('no window within 72 hours is refused, and only where there is none', async () => {
    await liveAt('2027-12-24T02:30:00Z');
    await expect(order(alabama)).rejects.toMatchObject({ code: 'unsupported_destination' });
    expect(await order(newYork)).toMatchObject({ status: 'QUEUED' });
    expect(await order(alabama, {}, 'test')).toMatchObject({ status: 'QUEUED' });
    await expect(order(alabama, { agent_id: 'agt_none' })).rejects.toMatchObject({
      code: 'agent_not_found',
    });
    const { token } = await createTriggerUrl(system.ctx, workspace);
    const url = await openTriggerUrl(system.ctx, token);
    await expect(
      acceptLead(system.ctx, url, { payload: { phone: alabama }, test: false }),
    ).rejects.toMatchObject({ code: 'unsupported_destination' });
  });

  it('the estimate runs to the next legal minute, which GET and list explain', async () => {
    await liveAt('2026-11-22T18:30:00Z');
    const accepted = await order(alabama);
    expect(accepted.estimated_dial_seconds).toBe(19.5 * 3600);
    const waits = {
      status: 'QUEUED',
      reason: null,
      next_attempt_at: '2026-11-23T14:00:00.000Z',
      waiting_for: {
        rule: 'sunday',
        time_zone: 'America/Chicago',
        until: '2026-11-23T14:00:00.000Z',
      },
    };
    expect(await read(accepted.order_id)).toMatchObject(waits);
    const page = await listOrders(system.ctx, key(), { limit: 10 });
    expect(page.orders).toMatchObject([waits]);
    await turnTo('2026-11-23T13:59:59Z');
    expect(calls).toEqual([]);
    await turnTo('2026-11-23T14:00:00Z');
    expect(calls).toMatchObject([{ to: alabama }]);
    expect(await read(accepted.order_id)).toMatchObject({
      status: 'DIALING',
      next_attempt_at: null,
      waiting_for: null,
    });
  });

  it("follows the agent's own hours, in the lead's time, also after they were changed", async () => {
    await liveAt('2026-11-23T23:00:00Z');
    const agentId = await createAgent(system.ctx, workspace.id, {
      config: { callingHours: weekdaysNineToFive },
    });
    for (const _repeat of [1, 2]) {
      const accepted = await order(newYork, { agent_id: agentId });
      expect(await read(accepted.order_id)).toMatchObject({
        estimated_dial_seconds: 15 * 3600,
        next_attempt_at: '2026-11-24T14:00:00.000Z',
        waiting_for: { rule: 'agent_hours', time_zone: 'America/New_York' },
      });
    }
    await system.ctx.db`update agent_versions set config = config - 'callingHours'
      where workspace_id = ${workspace.id} and agent_id = ${agentId}`;
    expect(await order(newYork, { agent_id: agentId })).toMatchObject({
      estimated_dial_seconds: 2,
    });
  });

  it('agent hours that never meet the law are refused, and taken again once they do', async () => {
    await liveAt('2026-11-23T18:00:00Z');
    const kentucky = '+15022340177';
    const early = Array.from({ length: 7 }, () => ['07:00', '09:00'] as [string, string]);
    const agentId = await createAgent(system.ctx, workspace.id, {
      config: { callingHours: early },
    });
    for (const _repeat of [1, 2])
      await expect(order(kentucky, { agent_id: agentId })).rejects.toMatchObject({
        code: 'unsupported_destination',
      });
    await system.ctx.db`update agent_versions set config = config - 'callingHours'
      where workspace_id = ${workspace.id} and agent_id = ${agentId}`;
    expect(await order(kentucky, { agent_id: agentId })).toMatchObject({ status: 'QUEUED' });
  });

  it('a test lead waits like any other', async () => {
    await liveAt('2026-11-24T07:00:00Z');
    await system.ctx.db`insert into confirmed_numbers (workspace_id, phone, confirmed_at)
      values (${workspace.id}, ${newYork}, ${clock.now()})`;
    const { token } = await createTriggerUrl(system.ctx, workspace);
    const url = await openTriggerUrl(system.ctx, token);
    const lead = { payload: { phone: newYork }, test: true };
    expect(await acceptLead(system.ctx, url, lead)).toMatchObject({
      test: true,
      estimated_dial_seconds: 6 * 3600,
    });
    await system.drain();
    expect(calls).toEqual([]);
  });

  it("the sandbox's people are rung at any hour", async () => {
    await liveAt('2026-11-24T07:00:00Z');
    expect(await order(sandboxPeople.books)).toMatchObject({ estimated_dial_seconds: 2 });
    await system.drain();
    expect(calls).toMatchObject([{ to: sandboxPeople.books }]);
  });
});

describe('at dial time', () => {
  it('an order that comes up too late waits for the morning, unchanged', async () => {
    await liveAt('2026-11-24T01:59:59Z');
    const { order_id: id } = await order(newYork);
    await turnTo('2026-11-24T02:00:00Z');
    expect(calls).toEqual([]);
    expect(await read(id)).toMatchObject({
      status: 'QUEUED',
      reason: null,
      next_attempt_at: '2026-11-24T13:00:00.000Z',
      waiting_for: { rule: 'federal_hours', until: '2026-11-24T13:00:00.000Z' },
    });
    await turnTo('2026-11-24T13:00:00Z');
    expect(calls).toHaveLength(1);
  });

  it('none within 72 hours fails it', async () => {
    await liveAt('2027-12-24T01:59:59Z');
    const { order_id: id } = await order(alabama);
    await turnTo('2027-12-24T02:30:00Z');
    expect(calls).toEqual([]);
    expect(await read(id)).toMatchObject({
      status: 'FAILED',
      reason: 'unsupported_destination',
      final: true,
      waiting_for: null,
    });
  });

  it('who said stop is told at once, not in the morning', async () => {
    await liveAt('2026-11-24T04:00:00Z');
    const { order_id: stopped } = await order(newYork);
    const { order_id: waits } = await order(alabama);
    await system.ctx
      .db`select suppress_number(${workspace.id}, ${newYork}, 'said', null, null, ${clock.now()})`;
    await system.drain();
    expect(await read(stopped)).toMatchObject({ status: 'FAILED', reason: 'do_not_contact' });
    expect(await read(waits)).toMatchObject({ status: 'QUEUED' });
    expect(calls).toEqual([]);
  });
});

describe('a retry', () => {
  it('of a number that says stop at night, after a text, is ended at once', async () => {
    await liveAt('2026-11-24T01:30:00Z');
    const { order_id: id } = await order(newYork);
    await system.drain();
    await endInVoicemail(id);
    await turnTo('2026-11-24T02:10:00Z');
    await system.ctx
      .db`select suppress_number(${workspace.id}, ${newYork}, 'text_reply', null, null, ${clock.now()})`;
    await system.drain();
    expect(await read(id)).toMatchObject({ status: 'FAILED', reason: 'do_not_contact' });
  });

  it('whose interval ends at night falls on the next morning, and says why', async () => {
    await liveAt('2026-11-24T01:30:00Z');
    const { order_id: id } = await order(newYork, { cadence: { retry_interval_minutes: 60 } });
    await system.drain();
    await endCall(id, 'no_answer');
    expect(await read(id)).toMatchObject({
      status: 'RETRY_SCHEDULED',
      reason: 'no_answer',
      next_attempt_at: '2026-11-24T13:00:00.000Z',
      waiting_for: { rule: 'federal_hours', time_zone: 'America/New_York' },
    });
    await turnTo('2026-11-24T12:59:59Z');
    expect(calls).toHaveLength(1);
    await turnTo('2026-11-24T13:00:00Z');
    expect(calls).toHaveLength(2);
  });

  it('after a text is told at the end of its interval and rings in the morning', async () => {
    await liveAt('2026-11-24T01:30:00Z');
    const { order_id: id } = await order(newYork, { cadence: { retry_interval_minutes: 60 } });
    await system.drain();
    await endInVoicemail(id);
    const inTheMorning = {
      next_attempt_at: '2026-11-24T13:00:00.000Z',
      waiting_for: { rule: 'federal_hours' },
    };
    expect(await read(id)).toMatchObject({ status: 'VOICEMAIL_SMS_SENT', ...inTheMorning });
    await turnTo('2026-11-24T02:30:00Z');
    expect(await read(id)).toMatchObject({ status: 'RETRY_SCHEDULED', ...inTheMorning });
    expect(calls).toHaveLength(1);
    await turnTo('2026-11-24T13:00:00Z');
    expect(calls).toHaveLength(2);
  });

  it('within the hours falls on the end of the interval and waits for nothing else', async () => {
    await liveAt('2026-11-23T18:00:00Z');
    const { order_id: id } = await order(newYork, { cadence: { retry_interval_minutes: 30 } });
    await system.drain();
    await endCall(id, 'busy');
    expect(await read(id)).toMatchObject({
      next_attempt_at: '2026-11-23T18:30:00.000Z',
      waiting_for: null,
    });
  });
});
