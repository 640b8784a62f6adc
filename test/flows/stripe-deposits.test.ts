// Deposits paid through Stripe: credited once, with what Stripe says was paid, whatever gets lost on the way.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createStripePayments } from '../../adapters/payments/stripe/stripe-payments.ts';
import { findDeposit } from '../../domain/billing/deposit-queries.ts';
import { lookUpDeposits } from '../../domain/billing/look-up-deposits.ts';
import { proveWallets } from '../../domain/billing/prove-wallets.ts';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { startDeposit } from '../../domain/billing/start-deposit.ts';
import { turnableClock } from '../../platform/clock.ts';
import { startServer } from '../../server/start-server.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { deliverEvent } from '../support/stripe/deliver-event.ts';
import { startStripeEmulator, type StripeEmulator } from '../support/stripe/stripe-emulator.ts';
import { createEvent, signatureOf, type StripeEvent } from '../support/stripe/stripe-objects.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const secretKey = 'sk_test_of_the_emulator';
const minuteMs = 60_000;

let stripe: StripeEmulator;
let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
let to: { url: string; secret: string };
let workspace: TestWorkspace;

beforeAll(async () => {
  stripe = await startStripeEmulator({ clock, secretKey });
  const webhookSecret = 'whsec_of_the_emulator';
  const account = { secretKey, webhookSecret, baseUrl: stripe.url, requestTimeoutMs: 1_000 };
  system = await createTestContext({ clock, payments: createStripePayments(account) });
  server = await startServer(system.ctx, { port: 0 });
  to = { url: `http://127.0.0.1:${server.port}/payments/stripe`, secret: webhookSecret };
});
afterAll(async () => {
  await server.stop();
  await system.close();
  stripe.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx, { balanceMicros: 0 });
});

const start = (amountCents = 5_000) =>
  startDeposit(system.ctx, { workspaceId: workspace.id, amountCents });

/** A deposit with the session on which it is paid. */
async function open(amountCents?: number) {
  const { depositId, url } = await start(amountCents);
  const session = stripe.list().find((made) => made.metadata['deposit_id'] === depositId);
  if (!session) throw new Error('Stripe has a session of it.');
  return { depositId, url, sessionId: session.id, session };
}

function deliver(event: StripeEvent, forged: Parameters<typeof deliverEvent>[2] = {}) {
  return deliverEvent({ ...to, nowSeconds: stripe.nowSeconds() }, event, forged);
}

const balance = async () => (await readWallet(system.ctx, workspace.id)).balanceMicros;
const stateOf = (depositId: string) =>
  findDeposit(system.ctx.db, { workspaceId: workspace.id, depositId });

async function expectProven() {
  expect(await proveWallets(system.ctx, workspace.id)).toEqual({ wallets: 1, broken: [] });
}

describe('a deposit', () => {
  it('opens a checkout that carries workspace and deposit, under its own key', async () => {
    const { depositId, url, session } = await open(7_550);
    expect(session).toMatchObject({
      amount_total: 7_550,
      currency: 'usd',
      client_reference_id: depositId,
      metadata: { workspace_id: workspace.id, deposit_id: depositId },
    });
    expect(url).toBe(session.url);
    expect(stripe.seen.at(-1)).toMatchObject({ idempotencyKey: depositId });
    expect(await balance()).toBe(0);
  });

  it('is in the wallet once Stripe says that it was paid', async () => {
    const { depositId, sessionId } = await open();
    expect(await deliver(stripe.pay(sessionId))).toBe(200);
    expect(await balance()).toBe(50_000_000);
    expect(await stateOf(depositId)).toMatchObject({ state: 'paid', paidMicros: 50_000_000 });
    await expectProven();
  });

  it('is credited with what was taken, not with what was asked for', async () => {
    const { sessionId } = await open();
    await deliver(stripe.pay(sessionId, { amount_total: 4_321 }));
    expect(await balance()).toBe(43_210_000);
    await expectProven();
  });

  it('that is the first must be $50, and Stripe is not asked', async () => {
    const before = stripe.seen.length;
    await expect(start(4_999)).rejects.toThrow(/^amount_cents: the first deposit/);
    expect(stripe.seen).toHaveLength(before);
    await deliver(stripe.pay((await open()).sessionId));
    await deliver(stripe.pay((await open(100)).sessionId));
    expect(await balance()).toBe(51_000_000);
  });

  it('in another currency is not credited and waits for an operator', async () => {
    const { depositId, sessionId } = await open();
    expect(await deliver(stripe.pay(sessionId, { currency: 'eur' }))).toBe(200);
    expect(await balance()).toBe(0);
    expect(await stateOf(depositId)).toMatchObject({
      state: 'disputed',
      detail: 'paid 5000 in eur',
    });
  });
});

describe('events', () => {
  it('that come again and again, at once, credit once', async () => {
    const { sessionId } = await open();
    const event = stripe.pay(sessionId);
    const statuses = await Promise.all(Array.from({ length: 10 }, () => deliver(event)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await balance()).toBe(50_000_000);
    await expectProven();
  });

  it('out of order end the same: paid is final', async () => {
    const { depositId, sessionId } = await open();
    const promised = stripe.promise(sessionId);
    const failed = stripe.settlePromise(sessionId, false);
    const paid = stripe.settlePromise(sessionId, true);
    for (const event of [failed, paid, promised, failed]) {
      expect(await deliver(event)).toBe(200);
    }
    expect(await balance()).toBe(50_000_000);
    expect(await stateOf(depositId)).toMatchObject({ state: 'paid' });
    await expectProven();
  });

  it('of a payment that is only promised credit nothing yet', async () => {
    const { depositId, sessionId } = await open();
    await deliver(stripe.promise(sessionId));
    expect(await balance()).toBe(0);
    await deliver(stripe.settlePromise(sessionId, false));
    expect(await stateOf(depositId)).toMatchObject({ state: 'failed' });
    expect(await balance()).toBe(0);
  });

  it('with a wrong signature are refused with 400 and change nothing', async () => {
    const { depositId, sessionId } = await open();
    const event = stripe.pay(sessionId);
    const body = JSON.stringify(event);
    const nowSeconds = stripe.nowSeconds();
    const forgeries = [
      { signature: null },
      { signature: '' },
      { signature: signatureOf(body, 'whsec_of_somebody', nowSeconds), body },
      { signature: signatureOf(body, to.secret, nowSeconds - 301), body },
      { signature: signatureOf(body, to.secret, nowSeconds), body: body.replace('5000', '9000') },
      { signature: signatureOf('', to.secret, nowSeconds), body: '' },
    ];
    for (const forgery of forgeries) expect(await deliver(event, forgery)).toBe(400);
    expect(await balance()).toBe(0);
    expect(await stateOf(depositId)).toMatchObject({ state: 'open' });
  });

  it('about other things of the account are taken and ignored', async () => {
    const { session } = await open();
    const nowSeconds = stripe.nowSeconds();
    const others = [
      createEvent('customer.created', { id: 'cus_1', object: 'customer' }, nowSeconds),
      createEvent(
        'checkout.session.completed',
        { ...session, metadata: {}, payment_status: 'paid' },
        nowSeconds,
      ),
      createEvent(
        'checkout.session.completed',
        { ...session, id: 'cs_test_other', payment_status: 'paid' },
        nowSeconds,
      ),
    ];
    // Refunds and disputes are told to the operator, who decides on an adjustment.
    const metadata = { deposit_id: session.metadata['deposit_id'] };
    for (const type of ['charge.refunded', 'charge.dispute.created'])
      others.push(createEvent(type, { id: 'ch_1', metadata }, nowSeconds));
    for (const event of others) expect(await deliver(event)).toBe(200);
    expect(await balance()).toBe(0);
  });
});

describe('when something is lost', () => {
  it('the answer to a checkout, the same checkout is answered again', async () => {
    const before = stripe.list().length;
    stripe.fault('lose_answer');
    const { sessionId } = await open();
    expect(stripe.list()).toHaveLength(before + 1);
    await deliver(stripe.pay(sessionId));
    expect(await balance()).toBe(50_000_000);
  });

  it.each([
    ['refuse_connection', 'refuse_connection', 'refuse_connection'],
    ['error_500'],
    ['never_answer', 'never_answer', 'never_answer'],
  ] as const)('%s: no page is told, the deposit failed, another can be made', async (...faults) => {
    stripe.fault(...faults);
    await expect(start()).rejects.toMatchObject({ code: 'unavailable' });
    const [row] = await system.ctx.db<{ state: string }[]>`
      select state from deposits where workspace_id = ${workspace.id}`;
    expect(row?.state).toBe('failed');
    const { sessionId } = await open();
    await deliver(stripe.pay(sessionId));
    expect(await balance()).toBe(50_000_000);
    await expectProven();
  });

  it('the event of a payment, it is looked up; an event that comes late changes nothing', async () => {
    const { depositId, sessionId } = await open();
    const lost = stripe.pay(sessionId);
    await lookUpDeposits(system.ctx);
    expect(await balance()).toBe(0);
    await clock.turn(5 * minuteMs);
    await Promise.all([lookUpDeposits(system.ctx), lookUpDeposits(system.ctx)]);
    expect(await stateOf(depositId)).toMatchObject({ state: 'paid' });
    expect(await deliver(lost)).toBe(200);
    expect(await balance()).toBe(50_000_000);
    await expectProven();
  });

  it('the look-up too, it is looked up again', async () => {
    const { sessionId } = await open();
    stripe.pay(sessionId);
    stripe.fault('rate_limited');
    for (let look = 0; look < 3; look++) {
      await clock.turn(5 * minuteMs);
      await lookUpDeposits(system.ctx);
    }
    expect(await balance()).toBe(50_000_000);
  });

  it('the event of a page on which nobody paid, the deposit expires', async () => {
    const { depositId, sessionId } = await open();
    stripe.expire(sessionId);
    await clock.turn(60 * minuteMs);
    await lookUpDeposits(system.ctx);
    expect(await stateOf(depositId)).toMatchObject({ state: 'expired' });
    expect(await balance()).toBe(0);
  });

  it('the process before it told where to pay, the deposit is closed; one that is paid all the same counts', async () => {
    const { db } = system.ctx;
    const { depositId, sessionId } = await open();
    await db`update deposits set state = 'intent', checkout_id = null, checkout_url = null,
      next_look_at = null where id = ${depositId}`;
    await clock.turn(61 * minuteMs);
    await lookUpDeposits(system.ctx);
    expect(await stateOf(depositId)).toMatchObject({ state: 'failed' });
    await deliver(stripe.pay(sessionId));
    expect(await stateOf(depositId)).toMatchObject({ state: 'paid' });
    expect(await balance()).toBe(50_000_000);
    await expectProven();
  });

  it('the database during an event, Stripe is asked to send it again', async () => {
    const { sessionId } = await open();
    const event = stripe.pay(sessionId);
    await system.ctx.db`alter table deposits rename to deposits_away`;
    expect(await deliver(event)).toBe(500);
    await system.ctx.db`alter table deposits_away rename to deposits`;
    expect(await balance()).toBe(0);
    expect(await deliver(event)).toBe(200);
    expect(await balance()).toBe(50_000_000);
  });
});
