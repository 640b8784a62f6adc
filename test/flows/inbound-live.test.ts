// People of the sandbox call a workspace's number over audio: what order, webhook and wallet say afterwards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { listOrders } from '../../domain/orders/list-orders.ts';
import { verifyWebhook } from '../../sdk/src/index.ts';
import type { TestWorkspace } from '../support/factories.ts';
import { startLiveSystem, type LiveSystem, type ReadOrder } from '../support/live-system.ts';
import { openReceiver } from '../support/receiver.ts';

const number = '+12125550177';
const people = {
  books: '+12125550101',
  stop_calling: '+12125550104',
  hangs_up: '+12125550110',
  silent: '+12125550113',
} as const;
type Person = keyof typeof people;

let live: LiveSystem;
let workspace: TestWorkspace;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
const calls = new Map<string, string>();

beforeAll(async () => {
  live = await startLiveSystem({ firstPort: 18_400 });
  workspace = await live.workspace({ callerNumber: number });
  receiver = await openReceiver();
  await live.ctx.db`
    update workspaces set default_webhook_url = ${receiver.url} where id = ${workspace.id}`;
  // Every request of the network to us comes three times.
  await live.fault({ to: number, callbacks: { copies: 3 } });
  for (const person of Object.keys(people)) calls.set(person, await live.callIn(person, number));
  calls.set('anonymous', await live.callIn('qualifies', number, { anonymous: true }));
}, 60_000);
afterAll(async () => {
  await live.stop();
  await receiver.close();
});

async function orders(phone: string, target = workspace) {
  const key = { keyId: 'key_test', workspaceId: target.id, mode: 'live' } as const;
  const { orders: listed } = await listOrders(live.ctx, key, { limit: 50 });
  return listed.filter(({ lead }) => lead.phone === phone);
}

/** The one order of this caller, once the call is over. */
async function ended(phone: string, target = workspace): Promise<ReadOrder> {
  const look = async () => (await orders(phone, target))[0]?.final ?? false;
  await expect.poll(look, { timeout: 110_000, interval: 250 }).toBe(true);
  const [order, ...others] = await orders(phone, target);
  expect(others).toEqual([]);
  return live.read(target, order?.order_id ?? '');
}

const saidBy = (order: ReadOrder, role: string) =>
  order.transcript
    .filter((turn) => turn.role === role)
    .map(({ text }) => text)
    .join(' ');

async function webhookOf(orderId: string) {
  const find = () => receiver.received.filter(({ event }) => event.order_id === orderId);
  await expect.poll(() => find().length, { timeout: 20_000 }).toBe(1);
  const [webhook] = find();
  const signature = String(webhook?.headers['x-service-signature']);
  return verifyWebhook(webhook?.body ?? '', signature, workspace.webhookSecret);
}

describe('a person who calls and books', () => {
  it('is greeted with the disclosure first, asked, booked, and charged by started minutes', async () => {
    const order = await ended(people.books);
    expect(order).toMatchObject({
      status: 'BOOKED',
      direction: 'inbound',
      attempt_number: 1,
      appointment: { booked: true, calendar_event_id: expect.stringMatching(/^cal_/) },
      qualification: { qualified: true, score: 100 },
    });
    expect(order.charged_cents).toBe(order.billed_minutes * 15);
    expect(order.billed_minutes).toBeGreaterThan(0);
    expect(saidBy(order, 'agent')).toMatch(
      /^Thanks for calling Summit Roofing\. I am its virtual AI assistant\. This call is transcribed and may be recorded\. Say 'stop calling'/,
    );
  });

  it('is told once, to the default webhook URL, as a signed order.completed', async () => {
    const order = await ended(people.books);
    const { event, ...report } = await webhookOf(order.order_id);
    expect(event).toBe('order.completed');
    expect(report).toMatchObject({ external_reference_id: null, attempt_number: 1, test: false });
    expect(await live.read(workspace, order.order_id)).toMatchObject(report);
  });

  it('leaves a recording that begins after the notice', async () => {
    const order = await ended(people.books);
    const read = async () => {
      const [row] = await live.ctx.db<{ state: string; durationMs: number }[]>`
        select state, duration_ms from recordings where order_id = ${order.order_id}`;
      return row;
    };
    await expect.poll(async () => (await read())?.state, { timeout: 20_000 }).toBe('ready');
    expect(((await read())?.durationMs ?? 0) / 1000).toBeLessThan(order.duration_seconds);
  });
});

describe('the others', () => {
  it('"stop calling" over the greeting: suppressed, and never called from then on', async () => {
    expect(await ended(people.stop_calling)).toMatchObject({
      status: 'DISQUALIFIED',
      reason: 'do_not_contact',
      recording_url: null,
    });
    expect((await live.order(workspace, people.stop_calling)).status).toBe(409);
  });

  it('hangs up during the greeting: over, not charged, and not called back', async () => {
    expect(await ended(people.hangs_up)).toMatchObject({
      status: 'FAILED',
      reason: 'call_dropped',
      charged_cents: 0,
      transcript: [],
      next_attempt_at: null,
      recording_url: null,
    });
  });

  it('stays silent: let go after the greeting, and not charged', async () => {
    expect(await ended(people.silent)).toMatchObject({
      status: 'FAILED',
      reason: 'no_answer',
      charged_cents: 0,
      qualification: null,
      transcript: [],
    });
  });

  it('without a number: served like all others', async () => {
    expect(await ended('anonymous')).toMatchObject({
      status: 'QUALIFIED',
      lead: { phone: 'anonymous' },
    });
  });

  it('the number rings nobody, and nobody is texted', async () => {
    for (const person of Object.keys(people) as Person[]) {
      await ended(people[person]);
      expect(await live.ringsOf(people[person])).toBe(0);
      expect(await live.textsTo(people[person])).toEqual([]);
    }
  });
});

it('when all calls are over, nothing is held and the ledger is the balance', async () => {
  const phones = [...Object.values(people), 'anonymous'];
  const bodies = await Promise.all(phones.map((phone) => ended(phone)));
  const cents = bodies.reduce((sum, order) => sum + order.charged_cents, 0);
  expect(await readWallet(live.ctx, workspace.id)).toEqual({
    balanceMicros: 100_000_000 - cents * 10_000,
    heldMicros: 0,
    ledgerMicros: 100_000_000 - cents * 10_000,
    openHoldsMicros: 0,
  });
});

it('a call that cannot be taken hears why, and costs nothing', async () => {
  const broke = await live.workspace({ callerNumber: '+12125550178', balanceMicros: 0 });
  const sid = await live.callIn('books', '+12125550178');
  const call = () => live.sandboxCall(sid);
  await expect
    .poll(async () => (await call()).status, { timeout: 30_000, interval: 250 })
    .toBe('completed');
  expect((await call()).heard).toContain('We cannot take your call right now.');
  expect(await orders(people.books, broke)).toEqual([]);
});

it('a busy line is never answered', async () => {
  const full = await live.workspace({ callerNumber: '+12125550179' });
  await live.ctx.db`update workspaces set live_call_limit = 0 where id = ${full.id}`;
  const sid = await live.callIn('books', '+12125550179');
  const status = async () => (await live.sandboxCall(sid)).status;
  await expect.poll(status, { timeout: 10_000, interval: 100 }).toBe('busy');
});

it('the gateway is killed in mid-call: ended at the carrier, billed to the last word', async () => {
  const other = await live.workspace({ callerNumber: '+12125550180' });
  await Promise.all([...Object.values(people), 'anonymous'].map((phone) => ended(phone)));
  const sid = await live.callIn('books', '+12125550180');
  const talking = async () => {
    const [order] = await orders(people.books, other);
    return order ? (await live.read(other, order.order_id)).transcript.length : 0;
  };
  await expect.poll(talking, { timeout: 60_000, interval: 250 }).toBeGreaterThan(2);
  live.kill('voice-gateway');
  await live.passTime(120);
  expect(await ended(people.books, other)).toMatchObject({
    status: 'FAILED',
    reason: 'call_failed',
    charged_cents: 15,
  });
  expect((await live.sandboxCall(sid)).status).toBe('completed');
  expect(await readWallet(live.ctx, other.id)).toMatchObject({
    balanceMicros: 100_000_000 - 150_000,
    heldMicros: 0,
  });
});
