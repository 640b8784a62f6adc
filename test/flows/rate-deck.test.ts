// What the rate deck says at dial time: the surcharge is held and charged, a blocked number is never rung, and
// nothing is dialled unpriced.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseRateDeck } from '../../adapters/rate-decks/parse-rate-deck.ts';
import type { RateDeck } from '../../domain/billing/rate-deck.ts';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import type { CallRequest, Carrier, Texts } from '../../domain/calls/carrier.ts';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { admitCall } from '../../domain/attempts/admit-call.ts';
import { extendHold } from '../../domain/attempts/attempt-queries.ts';
import { readOrder } from '../../domain/orders/read-order.ts';
import { reportCall } from '../../domain/attempts/report-call.ts';
import type { KeyIdentity } from '../../domain/workspaces/authenticate-key.ts';
import { turnableClock } from '../../platform/clock.ts';
import { callReport } from '../support/call-report.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T18:00:00Z'));
const phone = '+12125550107';
let system: TestContext;
let workspace: TestWorkspace;
let key: KeyIdentity;
let calls: CallRequest[];
let deck: RateDeck | null;

const carrier: Carrier & Texts = {
  name: 'takes every call',
  async placeCall(request) {
    calls.push(request);
    return { kind: 'placed', carrierCallId: `CA${request.attemptId}` };
  },
  findCall: async () => ({ kind: 'none' }),
  endCall: async () => 'ended',
  sendText: async () => ({ kind: 'sent', carrierTextId: 'SM1' }),
};

beforeAll(async () => {
  const rateDecks = {
    current: () => (deck ? Promise.resolve(deck) : Promise.reject(new Error('the disk fails'))),
  };
  system = await createTestContext({ clock, carrier, rateDecks });
});
afterAll(() => system.close());
beforeEach(async () => {
  calls = [];
  workspace = await createWorkspace(system.ctx);
  key = { keyId: 'key_test', workspaceId: workspace.id, mode: 'live' };
  deck = await deckWith('surcharge', '2.5');
});

const deckWith = (action: string, surcharge = '') =>
  parseRateDeck(`prefix,action,surcharge_cents_per_min,label,effective_from,effective_to,source
1,allow,0,US,2026-01-01,,test
1212555,${action},${surcharge},Exchange,2026-01-01,,test`);

async function order(): Promise<string> {
  const body = orderBody(workspace, { lead: { phone } }) as never;
  const { accepted } = await acceptOrder(system.ctx, key, { order: body, idempotencyKey: null });
  return accepted.order_id;
}

async function wallet() {
  return readWallet(system.ctx, workspace.id);
}

/** 61 seconds of talk with somebody who is not interested. */
async function talk(): Promise<void> {
  const [call] = calls;
  const token = call?.mediaUrl.split('/').at(-1) ?? '';
  const admission = await admitCall(system.ctx, token, `CA${call?.attemptId}`);
  if (admission.kind !== 'admitted') throw new Error('The call is there.');
  await extendHold(system.ctx.db, admission.brief);
  const talkStartedAt = clock.now();
  await clock.turn(61_000);
  const report = callReport(clock.now(), { talkStartedAt, interest: 'no' });
  await reportCall(system.ctx, admission.brief, report);
}

it('holds and charges the surcharge on top of each started minute', async () => {
  const id = await order();
  await system.drain();
  expect(calls).toHaveLength(1);
  // A minute of 15 + 2.5 cents, and the fallback text of 1.5.
  expect((await wallet()).heldMicros).toBe(175_000 + 15_000);
  await talk();
  expect(await readOrder(system.ctx, key, id)).toMatchObject({
    status: 'DISQUALIFIED',
    billed_minutes: 2,
    charged_cents: 35,
  });
  const { balanceMicros, ledgerMicros, heldMicros } = await wallet();
  expect(balanceMicros).toBe(100_000_000 - 350_000);
  expect([ledgerMicros, heldMicros]).toEqual([balanceMicros, 0]);
});

it('never rings a number whose exchange was blocked since', async () => {
  const id = await order();
  deck = await deckWith('block');
  await system.drain();
  expect(calls).toHaveLength(0);
  expect(await readOrder(system.ctx, key, id)).toMatchObject({
    status: 'FAILED',
    reason: 'high_cost_destination',
    attempt_number: 0,
  });
  expect((await wallet()).heldMicros).toBe(0);
});

it('waits, and says why, while the deck cannot be read', async () => {
  const id = await order();
  deck = null;
  await system.drain();
  expect(calls).toHaveLength(0);
  const waiting = { status: 'QUEUED', reason: 'rate_unavailable', attempt_number: 0 };
  expect(await readOrder(system.ctx, key, id)).toMatchObject(waiting);
  deck = await deckWith('allow');
  await clock.turn(30_000);
  await system.drain();
  expect(calls).toHaveLength(1);
  expect(await readOrder(system.ctx, key, id)).toMatchObject({ status: 'DIALING', reason: null });
});
