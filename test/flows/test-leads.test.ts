// Test leads: the number is confirmed with a code, rung for real, paid for, and told as a test.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import type { CallRequest, TextRequest } from '../../domain/calls/carrier.ts';
import { acceptLead } from '../../domain/leads/accept-lead.ts';
import { openTriggerUrl } from '../../domain/leads/open-trigger-url.ts';
import { applyCarrierEvent } from '../../domain/attempts/apply-carrier-event.ts';
import {
  finishConfirmingNumber,
  startConfirmingNumber,
} from '../../domain/workspaces/confirm-number.ts';
import { turnableClock } from '../../platform/clock.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import { createTriggerUrl } from '../support/trigger-url.ts';

const phone = '+12125550101';
const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const calls: CallRequest[] = [];
const texts: TextRequest[] = [];

let system: TestContext;
let workspace: TestWorkspace;

beforeAll(async () => {
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
      async sendText(request) {
        texts.push(request);
        return { kind: 'sent', carrierTextId: `SM${request.textId}` };
      },
    },
  });
});
afterAll(() => system.close());
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
  calls.length = 0;
  texts.length = 0;
});

/** Orders of earlier tests may still be rung. */
function callsHere(): CallRequest[] {
  return calls.filter(({ workspaceId }) => workspaceId === workspace.id);
}

function start(number = phone) {
  return startConfirmingNumber(system.ctx, workspace.id, number);
}

function finish(digits: string) {
  return finishConfirmingNumber(system.ctx, workspace.id, { phone, digits });
}

function sentCode(): string {
  return /\d{6}/.exec(texts.at(-1)?.body ?? '')?.[0] ?? '';
}

/** Another code than the one that was sent. */
function wrongCode(): string {
  return String((Number(sentCode()) + 1) % 1_000_000).padStart(6, '0');
}

async function postTestLead(payload: object = { phone }) {
  const { token } = await createTriggerUrl(system.ctx, workspace);
  const url = await openTriggerUrl(system.ctx, token);
  return acceptLead(system.ctx, url, { payload, test: true });
}

describe('a one-time code', () => {
  it('is texted to the number and confirms it once', async () => {
    expect(await start('(212) 555-0101')).toMatchObject({ kind: 'sent', phone });
    expect(texts).toMatchObject([{ to: phone, from: '+12125550199' }]);
    expect(await finish(sentCode())).toBe('confirmed');
    expect(await finish(sentCode())).toBe('no_code');
    expect(await postTestLead()).toMatchObject({ test: true });
  });

  it('confirms nothing when it is wrong, and is spent after five tries', async () => {
    await start();
    for (let tried = 0; tried < 5; tried++) expect(await finish(wrongCode())).toBe('wrong_code');
    expect(await finish(sentCode())).toBe('no_code');
    await expect(postTestLead()).rejects.toMatchObject({ code: 'test_number_not_verified' });
  });

  it('is spent after ten minutes, and replaced by the next one', async () => {
    await start();
    const first = sentCode();
    await clock.turn(10 * 60_000);
    expect(await finish(first)).toBe('no_code');
    await start();
    if (first !== sentCode()) expect(await finish(first)).toBe('wrong_code');
    expect(await finish(sentCode())).toBe('confirmed');
  });

  it('is not kept in a form that could be read', async () => {
    await start();
    const [row] = await system.ctx
      .db`select * from number_codes where workspace_id = ${workspace.id}`;
    expect(JSON.stringify(row)).not.toContain(sentCode());
  });

  it('is sent five times an hour at most', async () => {
    for (let sent = 0; sent < 5; sent++) expect((await start()).kind).toBe('sent');
    expect(await start()).toMatchObject({ kind: 'too_many_codes' });
    expect(texts).toHaveLength(5);
  });

  it('is not texted to who said stop, to other countries, or to nobody', async () => {
    await system.ctx
      .db`select suppress_number(${workspace.id}, ${phone}, 'added', null, null, now())`;
    expect((await start()).kind).toBe('do_not_contact');
    expect((await start('+14165550123')).kind).toBe('unsupported_destination');
    expect((await start('hello')).kind).toBe('invalid_phone');
    expect(texts).toEqual([]);
  });
});

describe('a test lead', () => {
  beforeEach(async () => {
    await start();
    await finish(sentCode());
    texts.length = 0;
    await system.ctx.db`
      update workspaces set default_webhook_url = 'http://127.0.0.1:1/default',
        test_webhook_url = 'http://127.0.0.1:1/test' where id = ${workspace.id}`;
  });

  it('rings the number with a hold on the wallet, and sends no event', async () => {
    const { order_id: orderId } = await postTestLead();
    await system.drain();
    expect(callsHere()).toMatchObject([{ to: phone }]);
    expect((await readWallet(system.ctx, workspace.id)).heldMicros).toBeGreaterThan(0);
    await applyCarrierEvent(
      system.ctx,
      { workspaceId: workspace.id, orderId, attemptId: callsHere()[0]?.attemptId ?? '' },
      {
        kind: 'call_state',
        eventId: 'event-1',
        carrierCallId: `CA${callsHere()[0]?.attemptId}`,
        state: 'no_answer',
        durationSeconds: 0,
      },
    );
    await clock.turn(60_000);
    await system.drain();
    const [order] = await system.ctx.db`
      select status, test, simulated from orders where id = ${orderId}`;
    expect(order).toEqual({ status: 'RETRY_SCHEDULED', test: true, simulated: false });
    expect(await system.ctx.db`select from deliveries where order_id = ${orderId}`).toHaveLength(0);
  });

  it('is not rung when the number said stop after the lead came', async () => {
    const { order_id: orderId } = await postTestLead();
    await system.ctx
      .db`select suppress_number(${workspace.id}, ${phone}, 'said', null, null, now())`;
    await system.drain();
    expect(callsHere()).toEqual([]);
    const [order] = await system.ctx.db`select status, reason from orders where id = ${orderId}`;
    expect(order).toEqual({ status: 'FAILED', reason: 'do_not_contact' });
  });

  it('that marks itself as a test is played without a carrier, and told at the test webhook URL', async () => {
    const { order_id: orderId } = await postTestLead({ phone, is_test: true });
    for (let second = 0; second < 70; second++) {
      await clock.turn(1_000);
      await system.drain();
    }
    const [order] = await system.ctx.db`select status from orders where id = ${orderId}`;
    expect(order).toEqual({ status: 'BOOKED' });
    expect(callsHere()).toEqual([]);
    const urls = await system.ctx.db`select url from deliveries where order_id = ${orderId}`;
    expect(urls).toMatchObject([{ url: 'http://127.0.0.1:1/test' }]);
  });
});

it('a live lead is told at the default webhook URL', async () => {
  await system.ctx.db`
    update workspaces set default_webhook_url = 'http://127.0.0.1:1/default' where id = ${workspace.id}`;
  const { token } = await createTriggerUrl(system.ctx, workspace);
  const url = await openTriggerUrl(system.ctx, token);
  const { order_id: orderId } = await acceptLead(system.ctx, url, {
    payload: { phone },
    test: false,
  });
  await system.ctx.db`select suppress_number(${workspace.id}, ${phone}, 'said', null, null, now())`;
  await system.drain();
  const urls = await system.ctx.db`select url from deliveries where order_id = ${orderId}`;
  expect(urls).toMatchObject([{ url: 'http://127.0.0.1:1/default' }]);
});
