// The main outcomes once more, over the other protocol: the same people, the same promises, and its own faults.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { listOrders } from '../../domain/orders/list-orders.ts';
import { sandboxPeople } from '../../domain/workspaces/sandbox-people.ts';
import type { TestWorkspace } from '../support/factories.ts';
import { startLiveSystem, type LiveSystem, type ReadOrder } from '../support/live-system.ts';

let live: LiveSystem;
let workspace: TestWorkspace;
let called: TestWorkspace;
const orders = new Map<string, { workspace: TestWorkspace; id: string }>();

const tried = ['books', 'voicemail', 'no_answer', 'busy', 'stop_calling'] as const;
const calledNumber = '+12125550178';
const notInService = '+12125550111';

/** Everybody who is not listed in the sandbox books. */
const faulty = {
  '+12125550501': { request: { kind: 'fails_after_placing' } },
  '+12125550502': { callbacks: { copies: 10 } },
  '+12125550503': { callbacks: { send: 'reversed' } },
  '+12125550504': { callbacks: { send: 'never' } },
} as const;

beforeAll(async () => {
  live = await startLiveSystem({
    firstPort: 18_500,
    environment: { SANDBOX_PROTOCOL: 'telnyx' },
  });
  workspace = await live.workspace();
  const place = async (name: string, phone: string, from = workspace) => {
    const { id } = await live.order(from, phone, { cadence: { max_attempts: 1 } });
    orders.set(name, { workspace: from, id });
  };
  for (const person of tried) await place(person, sandboxPeople[person]);
  await place('invalid', notInService);
  for (const [to, fault] of Object.entries(faulty)) {
    await live.fault({ to, ...fault });
    // Of its own, so that nobody takes the appointment from under another.
    await place(to, to, await live.workspace());
  }
  called = await live.workspace({ callerNumber: calledNumber });
  // Every webhook of the call comes three times.
  await live.fault({ to: calledNumber, callbacks: { copies: 3 } });
  await live.callIn('books', calledNumber);
}, 60_000);
afterAll(() => live.stop());

function read(name: string): Promise<ReadOrder> {
  const order = orders.get(name);
  if (!order) throw new Error(`nothing was ordered for ${name}`);
  return live.read(order.workspace, order.id);
}

async function ended(name: string): Promise<ReadOrder> {
  await expect
    .poll(async () => (await read(name)).attempts.at(-1)?.outcome ?? null, {
      timeout: 110_000,
      interval: 250,
    })
    .not.toBeNull();
  return read(name);
}

describe('over Telnyx', () => {
  it('books: BOOKED after the whole notice, with every answer and one minute charged', async () => {
    const order = await ended('books');
    expect(order).toMatchObject({
      status: 'BOOKED',
      billed_minutes: 1,
      charged_cents: 15,
      appointment: { booked: true },
      qualification: {
        score: 100,
        extracted_answers: { homeowner: true, roof_age_years: 12, start: 'this month' },
      },
    });
    const said = order.transcript.filter(({ role }) => role === 'agent').map(({ text }) => text);
    expect(said.join(' ')).toContain("'stop calling'");
  });

  it('voicemail: hung up, texted, not charged for the call', async () => {
    expect(await ended('voicemail')).toMatchObject({
      status: 'VOICEMAIL_SMS_SENT',
      charged_cents: 0,
    });
    await expect
      .poll(async () => (await live.textsTo(sandboxPeople.voicemail)).length, { timeout: 10_000 })
      .toBe(1);
  });

  it.each(['no_answer', 'busy'] as const)('%s: nobody reached, nothing charged', async (person) => {
    expect(await ended(person)).toMatchObject({
      status: 'FAILED',
      reason: 'no_answer',
      charged_cents: 0,
    });
  });

  it('a number that is none: FAILED without a retry', async () => {
    expect(await ended('invalid')).toMatchObject({ status: 'FAILED', reason: 'invalid_number' });
  });

  it('"stop calling" over the agent: suppressed at once, and refused from then on', async () => {
    expect(await ended('stop_calling')).toMatchObject({
      status: 'DISQUALIFIED',
      reason: 'do_not_contact',
    });
    expect((await live.order(workspace, sandboxPeople.stop_calling)).status).toBe(409);
  });
});

describe('a person who calls over Telnyx', () => {
  it('is answered once, books, and is charged by started minutes', async () => {
    const key = { keyId: 'key_test', workspaceId: called.id, mode: 'live' } as const;
    const list = async () => (await listOrders(live.ctx, key, { limit: 50 })).orders;
    const isFinal = async () => (await list())[0]?.final ?? false;
    await expect.poll(isFinal, { timeout: 110_000, interval: 250 }).toBe(true);
    const [order, ...others] = await list();
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      direction: 'inbound',
      status: 'BOOKED',
      lead: { phone: sandboxPeople.books },
    });
    expect(order?.charged_cents).toBeGreaterThan(0);
    expect((order?.charged_cents ?? 1) % 15).toBe(0);
  });
});

describe('over Telnyx, with faults', () => {
  it.each([
    ['the answer to the dial is lost', '+12125550501'],
    ['every webhook comes ten times', '+12125550502'],
    ['webhooks come in reverse', '+12125550503'],
    ['webhooks never come', '+12125550504'],
  ])('%s: one ring, one booking, one charge', async (_, phone) => {
    expect(await ended(phone)).toMatchObject({ status: 'BOOKED', charged_cents: 15 });
    expect(await live.ringsOf(phone)).toBe(1);
  });
});

it('when all calls are over, nothing is held and the ledger is the balance', async () => {
  const bodies = await Promise.all([...tried, 'invalid'].map(ended));
  const calls = bodies.reduce((cents, order) => cents + order.charged_cents, 0);
  const textMicros = 15_000;
  const balanceMicros = 100_000_000 - calls * 10_000 - textMicros;
  expect(await readWallet(live.ctx, workspace.id)).toEqual({
    balanceMicros,
    ledgerMicros: balanceMicros,
    heldMicros: 0,
    openHoldsMicros: 0,
  });
});
