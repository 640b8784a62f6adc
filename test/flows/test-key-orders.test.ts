// Test keys play the whole flow without a carrier, a text or a charge.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { readOrder } from '../../domain/orders/read-order.ts';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { authenticateKey } from '../../domain/workspaces/authenticate-key.ts';
import { turnableClock } from '../../platform/clock.ts';
import { verifyWebhook } from '../../sdk/src/index.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { openReceiver } from '../support/receiver.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
let system: TestContext;
let workspace: TestWorkspace;
let receiver: Awaited<ReturnType<typeof openReceiver>>;

beforeAll(async () => {
  system = await createTestContext({ clock });
});
afterAll(() => system.close());

async function place(phone: string, change: Record<string, unknown> = {}) {
  workspace = await createWorkspace(system.ctx);
  receiver = await openReceiver();
  const key = await authenticateKey(system.ctx, `Bearer ${workspace.testKey}`);
  if (!key) throw new Error('The key of the factory is good.');
  const order = orderBody(workspace, { lead: { phone }, webhook_url: receiver.url, ...change });
  const { accepted } = await acceptOrder(system.ctx, key, {
    order: order as never,
    idempotencyKey: null,
  });
  return {
    read: async () => {
      const body = await readOrder(system.ctx, key, accepted.order_id);
      if (!body) throw new Error('The order is there.');
      return body;
    },
    /** Turns the clock second by second and lets the jobs run, as long as the order takes. */
    live: async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        await clock.turn(1000);
        await system.drain();
      }
    },
    events: () => receiver.received.map(({ event }) => `${event.event} ${event.status}`),
  };
}

describe('0001: a person answers and books', () => {
  it('goes through DIALING and IN_PROGRESS to BOOKED in about a minute, with one signed event', async () => {
    const order = await place('+12125550001');
    expect((await order.read()).status).toBe('QUEUED');
    await order.live(5);
    expect((await order.read()).status).toBe('DIALING');
    await order.live(10);
    expect((await order.read()).status).toBe('IN_PROGRESS');
    await order.live(50);
    const body = await order.read();
    expect(body).toMatchObject({
      status: 'BOOKED',
      test: true,
      final: true,
      charged_cents: 0,
      appointment: { booked: true, start_time: '2026-11-24T17:00:00.000Z' },
      attempt_number: 1,
    });
    expect(order.events()).toEqual(['order.completed BOOKED']);
    const [webhook] = receiver.received;
    const event = await verifyWebhook(
      webhook?.body ?? '',
      String(webhook?.headers['x-service-signature']),
      workspace.webhookSecret,
      { now: clock.now() },
    );
    const { event: _name, ...report } = event;
    expect(body).toMatchObject(report);
    await receiver.close();
  });
});

describe('0002: voicemail, then a booking', () => {
  it('texts, schedules the retry a minute later, and books on the second attempt', async () => {
    const order = await place('+12125550002');
    await order.live(40);
    expect(await order.read()).toMatchObject({ status: 'VOICEMAIL_SMS_SENT', final: false });
    expect(order.events()).toEqual([]);
    await order.live(60);
    expect(order.events()).toEqual(['order.updated RETRY_SCHEDULED']);
    await order.live(60);
    expect(order.events()).toEqual(['order.updated RETRY_SCHEDULED', 'order.completed BOOKED']);
    expect(await order.read()).toMatchObject({ status: 'BOOKED', attempt_number: 2 });
    await receiver.close();
  });

  it('with max_attempts 1 it ends at VOICEMAIL_SMS_SENT', async () => {
    const order = await place('+12125550002', { cadence: { max_attempts: 1 } });
    await order.live(40);
    expect(await order.read()).toMatchObject({
      status: 'VOICEMAIL_SMS_SENT',
      final: true,
      reason: 'machine',
    });
    expect(order.events()).toEqual(['order.completed VOICEMAIL_SMS_SENT']);
    await receiver.close();
  });

  it('with max_attempts 1 and texts off it ends FAILED', async () => {
    const order = await place('+12125550002', {
      cadence: { max_attempts: 1, send_sms_on_voicemail: false },
    });
    await order.live(40);
    expect(await order.read()).toMatchObject({ status: 'FAILED', reason: 'machine' });
    await receiver.close();
  });
});

describe('0003: a person is not interested', () => {
  it('ends DISQUALIFIED', async () => {
    const order = await place('+12125550003');
    await order.live(70);
    expect(await order.read()).toMatchObject({ status: 'DISQUALIFIED', reason: 'not_interested' });
    expect(order.events()).toEqual(['order.completed DISQUALIFIED']);
    await receiver.close();
  });
});

it('a test order touches neither the wallet nor its holds', async () => {
  const order = await place('+12125550001');
  await order.live(70);
  expect(await readWallet(system.ctx, workspace.id)).toEqual({
    balanceMicros: 100_000_000,
    heldMicros: 0,
    ledgerMicros: 100_000_000,
    openHoldsMicros: 0,
  });
  await receiver.close();
});
