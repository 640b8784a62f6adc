// Webhooks of Telnyx against the tables: signed or nothing, once, and only forward.
import { randomUUID, sign } from 'node:crypto';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sandboxTelnyxAccount } from '../../adapters/carriers/sandbox/telnyx/account.ts';
import { createTelnyxCallbacks } from '../../adapters/carriers/telnyx/telnyx-callbacks.ts';
import type { CallRequest, Carrier, Texts } from '../../domain/calls/carrier.ts';
import { acceptOrder } from '../../domain/orders/accept-order.ts';
import { authenticateKey } from '../../domain/workspaces/authenticate-key.ts';
import { turnableClock } from '../../platform/clock.ts';
import { registerCarrierRoutes } from '../../server/http/carrier.ts';
import { createWorkspace, orderBody } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));
const account = sandboxTelnyxAccount('secret');
const publicUrl = 'https://api.ok-carrier.net';
let system: TestContext;
let app: FastifyInstance;
let dialled: CallRequest[] = [];
let ended: string[] = [];

/** Takes every call, under the id of its attempt. */
const carrier: Carrier & Texts = {
  name: 'telnyx',
  async placeCall(request) {
    dialled.push(request);
    return { kind: 'placed', carrierCallId: `v3:${request.attemptId}` };
  },
  findCall: async () => ({ kind: 'none' }),
  async endCall(carrierCallId) {
    ended.push(carrierCallId);
    return 'ended';
  },
  sendText: async () => ({ kind: 'sent', carrierTextId: 'msg-1' }),
};

beforeAll(async () => {
  const carrierCallbacks = createTelnyxCallbacks({
    ...account,
    baseUrl: 'http://127.0.0.1:1',
    now: () => clock.now(),
  });
  system = await createTestContext({ clock, carrier, carrierCallbacks, settings: { publicUrl } });
  app = fastify();
  registerCarrierRoutes(app, system.ctx);
});
afterAll(async () => {
  await app.close();
  await system.close();
});
beforeEach(() => {
  dialled = [];
  ended = [];
});

/** Rings a number for a workspace of its own, and gives what Telnyx was asked. */
async function ring() {
  const workspace = await createWorkspace(system.ctx);
  const key = await authenticateKey(system.ctx, `Bearer ${workspace.liveKey}`);
  if (!key) throw new Error('The key of the factory is good.');
  const order = orderBody(workspace, { cadence: { max_attempts: 1 } }) as never;
  await acceptOrder(system.ctx, key, { order, idempotencyKey: null });
  await system.drain();
  const request = dialled.at(-1);
  if (!request) throw new Error('It is dialled at once.');
  return { ...request, path: new URL(request.statusCallbackUrl).pathname };
}

type Call = Awaited<ReturnType<typeof ring>>;

function event(call: Call, type: string, payload: object = {}) {
  const ids = { call_control_id: `v3:${call.attemptId}` };
  return JSON.stringify({
    data: { event_type: type, id: randomUUID(), payload: { ...ids, ...payload } },
  });
}

async function post(path: string, body: string, key = account.signingKey) {
  const timestamp = `${Math.floor(clock.now().getTime() / 1_000)}`;
  const signature = sign(null, Buffer.from(`${timestamp}|${body}`), key).toString('base64');
  const headers = {
    'content-type': 'application/json',
    'telnyx-timestamp': timestamp,
    'telnyx-signature-ed25519': signature,
  };
  return (await app.inject({ method: 'POST', url: path, headers, body })).statusCode;
}

async function attemptOf(call: Call) {
  const [attempt] = await system.ctx.db<
    { state: string; carrierState: string | null; outcome: string | null; events: number }[]
  >`select state, carrier_state, outcome, (select count(*)::int from carrier_events e
      where e.workspace_id = a.workspace_id and e.attempt_id = a.id) as events
    from attempts a where workspace_id = ${call.workspaceId} and id = ${call.attemptId}`;
  return attempt;
}

describe('a webhook', () => {
  it('goes to an address of its own carrier, and so does the media', async () => {
    const call = await ring();
    expect(call.path).toMatch(/^\/carriers\/telnyx\//);
    expect(new URL(call.mediaUrl).pathname).toMatch(/^\/media\/telnyx\//);
    const elsewhere = call.path.replace('telnyx', 'twilio');
    expect(await post(elsewhere, event(call, 'call.answered'))).toBe(404);
  });

  it('with a wrong signature is refused, and nothing changes', async () => {
    const call = await ring();
    const before = await attemptOf(call);
    const wrongKey = sandboxTelnyxAccount('other').signingKey;
    const body = event(call, 'call.hangup', { hangup_cause: 'not_found' });
    expect(await post(call.path, body, wrongKey)).toBe(403);
    expect(await attemptOf(call)).toEqual(before);
  });

  it('that comes ten times has one effect', async () => {
    const call = await ring();
    const body = event(call, 'call.answered');
    const codes = await Promise.all(Array.from({ length: 10 }, () => post(call.path, body)));
    expect(new Set(codes)).toEqual(new Set([204]));
    expect(await attemptOf(call)).toMatchObject({ carrierState: 'in_progress', events: 1 });
  });

  it('that comes too late moves nothing back', async () => {
    const call = await ring();
    await post(call.path, event(call, 'call.hangup', { hangup_cause: 'user_busy' }));
    expect(await post(call.path, event(call, 'call.initiated'))).toBe(204);
    expect(await attemptOf(call)).toMatchObject({ carrierState: 'busy', outcome: 'busy' });
  });

  it('of no interest is taken, so that it is not sent again', async () => {
    const call = await ring();
    expect(await post(call.path, event(call, 'call.cost'))).toBe(204);
    expect(await attemptOf(call)).toMatchObject({ events: 0 });
  });

  it('that cannot be read is refused', async () => {
    const call = await ring();
    expect(await post(call.path, '{}')).toBe(400);
  });
});

describe('media that failed or ended', () => {
  it.each(['streaming.failed', 'streaming.stopped'])('%s ends a call still up', async (type) => {
    const call = await ring();
    await post(call.path, event(call, 'call.answered'));
    expect(await post(call.path, event(call, type))).toBe(204);
    expect(ended).toEqual([`v3:${call.attemptId}`]);
  });

  it('leaves a call alone that is over', async () => {
    const call = await ring();
    await post(call.path, event(call, 'call.answered'));
    await post(call.path, event(call, 'call.hangup', { hangup_cause: 'normal_clearing' }));
    await post(call.path, event(call, 'streaming.stopped'));
    expect(ended).toEqual([]);
  });
});
