// Every (operation, status, code) that the document promises, produced by the real server.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { startServer } from '../../server/start-server.ts';
import { conformingOutcomes, documentedOutcomes } from '../support/conformance.ts';
import {
  createAgent,
  createWorkspace,
  orderBody,
  type TestWorkspace,
} from '../support/factories.ts';
import { createOrderRow, recordAttempt } from '../support/recorded-order.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import { createTriggerUrl } from '../support/trigger-url.ts';

/** Promised because the specification lists them, but there is no way to them yet. */
const unreachable: Record<string, string> = {
  'receiveLead 400 invalid_consent_source': 'the consent is ours, not that of the sender',
  'receiveLead 404 agent_not_found': 'the agent belongs to the URL',
  'receiveLead 409 agent_inactive': 'an inactive agent switches its URL off: 404',
  'receiveLead 409 idempotency_key_conflict': 'leads carry no Idempotency-Key',
};

const seen = new Set<string>();
const phone = '+12125550101';
const blockedPhone = '+17124320101';
let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
/** The same system where nobody can tell the time: what fails for no known reason. */
let broken: Awaited<ReturnType<typeof startServer>>;
/** The same system where the rate deck cannot be read. */
let unpriced: Awaited<ReturnType<typeof startServer>>;
let workspace: TestWorkspace;
let orderId: string;
let token: string;

beforeAll(async () => {
  const clock = systemClock();
  system = await createTestContext({ clock });
  server = await startServer(system.ctx, { port: 0 });
  const fail = () => {
    throw new Error('the clock stands still');
  };
  const brokenClock = { ...clock, now: fail, monotonicMs: fail };
  const rateDecks = { current: () => Promise.reject(new Error('the disk fails')) };
  unpriced = await startServer({ ...system.ctx, rateDecks }, { port: 0 });
  broken = await startServer({ ...system.ctx, clock: brokenClock }, { port: 0 });
});
afterAll(async () => {
  await server.stop();
  await broken.stop();
  await unpriced.stop();
  await system.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
  orderId = await createOrderRow(system.ctx, workspace);
  ({ token } = await createTriggerUrl(system.ctx, workspace));
});

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly port?: number;
}

/** Sends, holds the answer to the document, and expects this one outcome. */
async function produce(outcome: string, sent: Sent) {
  const { method = 'GET', path, body, key = workspace.liveKey, port = server.port } = sent;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...sent.headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { status } = response;
  const headers = Object.fromEntries(response.headers);
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const outcomes = conformingOutcomes({ method, path, status, headers, body: text });
  expect(outcomes).toContain(outcome);
  for (const found of outcomes) seen.add(found);
}

const json = { 'content-type': 'application/json' };
const order = (change: Record<string, unknown> = {}): Omit<Sent, 'port'> => ({
  method: 'POST',
  path: '/v1/orders',
  headers: json,
  body: orderBody(workspace, change),
});
const lead = (body: unknown = { phone }, query = ''): Sent => ({
  method: 'POST',
  path: `/v1/hooks/lead/${token}${query}`,
  headers: json,
  key: '',
  body,
});
const mp3 = (): string => `/v1/recordings/${orderId}.mp3`;
const link = (): string => `/v1/recordings/${orderId}/link`;

const audio = Buffer.from('octets of a recording');
const record = (state: 'ready' | 'raw' | 'deleted' = 'ready') =>
  recordAttempt(system.ctx, workspace, { orderId, state, audio: state === 'ready' ? audio : null });

async function without(table: string, run: () => Promise<void>) {
  const { db } = system.ctx;
  await db`alter table ${db(table)} rename to table_away`;
  try {
    await run();
  } finally {
    await db`alter table table_away rename to ${db(table)}`;
  }
}

describe('createOrder', () => {
  const consent = { opt_in_confirmed: true, consented_at: '2026-11-01T12:00:00Z' };
  it.each<[string, () => Partial<Sent>]>([
    ['202 ok', () => order()],
    ['400 invalid_json', () => ({ ...order(), body: '[' })],
    ['400 consent_required', () => order({ consent: {} })],
    ['400 invalid_consent_source', () => order({ consent: { ...consent, source: 'test_x' } })],
    ['400 invalid_request', () => order({ agent_id: 7 })],
    ['400 invalid_phone', () => order({ lead: { phone: 'none' } })],
    ['401 unauthorized', () => ({ ...order(), key: '' })],
    ['404 agent_not_found', () => order({ agent_id: 'agt_none' })],
    ['405 method_not_allowed', () => ({ method: 'DELETE' })],
    ['422 unsupported_destination', () => order({ lead: { phone: '+442071838750' } })],
    ['422 high_cost_destination', () => order({ lead: { phone: blockedPhone } })],
    ['503 rate_unavailable', () => ({ ...order(), port: unpriced.port })],
  ])('%s', async (outcome, sent) => {
    await produce(`createOrder ${outcome}`, { path: '/v1/orders', ...sent() });
  });

  it('402: money and plan', async () => {
    await system.ctx.db`update wallets set paused = true where workspace_id = ${workspace.id}`;
    await produce('createOrder 402 insufficient_balance', order());
    await system.ctx.db`update workspaces set plan_status = 'inactive' where id = ${workspace.id}`;
    await produce('createOrder 402 plan_inactive', order());
  });

  it('409: agents, keys and people that said stop', async () => {
    const { ctx } = system;
    const inactive = await createAgent(ctx, workspace.id, { active: false });
    await produce('createOrder 409 agent_inactive', order({ agent_id: inactive }));
    const unpublished = await createAgent(ctx, workspace.id, { published: false });
    await produce('createOrder 409 agent_not_published', order({ agent_id: unpublished }));
    const headers = { ...json, 'idempotency-key': 'one' };
    await produce('createOrder 202 ok', { ...order(), headers });
    const other = { ...order({ external_reference_id: 'other' }), headers };
    await produce('createOrder 409 idempotency_key_conflict', other);
    await ctx.db`select suppress_number(${workspace.id}, ${phone}, 'added', null, null, now())`;
    await produce('createOrder 409 do_not_contact', order());
  });

  it('429: the test orders of a day', async () => {
    await system.ctx.db`
      insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
        max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent,
        estimated_dial_seconds, next_dial_at, created_at, updated_at)
      select ${workspace.id}, 'ord_' || n, true, ${workspace.agentId}, 1, 'QUEUED', ${phone},
        3, 60, true, '{}', 1, now() + interval '1 day', now(), now()
      from generate_series(1, 500) n`;
    await produce('createOrder 429 rate_limited', { ...order(), key: workspace.testKey });
  });

  it('500 and 503: what fails on our side', async () => {
    await produce('createOrder 500 internal_error', { ...order(), port: broken.port });
    await without('do_not_contact', () =>
      produce('createOrder 503 suppression_unavailable', order()),
    );
    await without('wallets', () => produce('createOrder 503 wallet_unavailable', order()));
  });
});

describe('receiveLead', () => {
  it.each<[string, () => Partial<Sent>]>([
    ['202 ok', () => lead()],
    ['400 invalid_body', () => lead('{')],
    ['400 invalid_request', () => lead({ name: 'Ann' })],
    ['400 invalid_phone', () => lead({ phone: '+1911' })],
    ['403 test_number_not_verified', () => lead({ phone }, '?test=1')],
    ['404 not_found', () => ({ ...lead(), path: '/v1/hooks/lead/unknown' })],
    ['405 method_not_allowed', () => ({ method: 'GET' })],
    ['422 unsupported_destination', () => lead({ phone: '+442071838750' })],
    ['422 high_cost_destination', () => lead({ phone: blockedPhone })],
    ['503 rate_unavailable', () => ({ ...lead(), port: unpriced.port })],
    ['500 internal_error', () => ({ ...lead(), port: broken.port })],
  ])('%s', async (outcome, sent) => {
    await produce(`receiveLead ${outcome}`, { path: lead().path, key: '', ...sent() });
  });

  it('402: money and plan', async () => {
    await system.ctx.db`update wallets set paused = true where workspace_id = ${workspace.id}`;
    await produce('receiveLead 402 insufficient_balance', lead());
    await system.ctx.db`update workspaces set plan_status = 'inactive' where id = ${workspace.id}`;
    await produce('receiveLead 402 plan_inactive', lead());
  });

  it('409: an agent that was never published, and people that said stop', async () => {
    const { ctx } = system;
    const unpublished = await createAgent(ctx, workspace.id, { published: false });
    const own = await createTriggerUrl(ctx, workspace, unpublished);
    const path = `/v1/hooks/lead/${own.token}`;
    await produce('receiveLead 409 agent_not_published', { ...lead(), path });
    await ctx.db`select suppress_number(${workspace.id}, ${phone}, 'added', null, null, now())`;
    await produce('receiveLead 409 do_not_contact', lead());
  });

  it('429: the leads of a minute', async () => {
    for (let count = 0; count < 60; count += 1)
      await produce('receiveLead 400 invalid_request', lead({ count }));
    await produce('receiveLead 429 rate_limited', lead());
  });

  it('503: what cannot be read', async () => {
    await without('do_not_contact', () =>
      produce('receiveLead 503 suppression_unavailable', lead()),
    );
    await without('wallets', () => produce('receiveLead 503 wallet_unavailable', lead()));
    await without('trigger_urls', () => produce('receiveLead 503 unavailable', lead()));
  });
});

describe.each([
  { id: 'getOrder', pathOf: () => `/v1/orders/${orderId}` },
  { id: 'listOrders', pathOf: () => '/v1/orders' },
  { id: 'getMe', pathOf: () => '/v1/me' },
  { id: 'listAgents', pathOf: () => '/v1/agents' },
])('$id', ({ id, pathOf }) => {
  it('200, 401, 405 and 500', async () => {
    const path = pathOf();
    await produce(`${id} 200 ok`, { path });
    await produce(`${id} 401 unauthorized`, { path, key: '' });
    await produce(`${id} 405 method_not_allowed`, { path, method: 'DELETE' });
    await produce(`${id} 500 internal_error`, { path, port: broken.port });
  });

  it('429: the reads of a minute', async () => {
    await system.ctx.db`
      insert into rate_windows values (${`reads:${workspace.id}`}, now(),
        now() + interval '60 seconds', 120)`;
    await produce(`${id} 429 rate_limited`, { path: pathOf() });
  });
});

it.each([
  ['listOrders', '/v1/orders', 'orders'],
  ['getMe', '/v1/me', 'api_keys'],
  ['listAgents', '/v1/agents', 'agents'],
])('%s 503 when it cannot be read', async (id, path, table) => {
  await without(table, () => produce(`${id} 503 unavailable`, { path }));
});

it('an order that is not there, and a list that cannot be asked for', async () => {
  await produce('getOrder 404 not_found', { path: '/v1/orders/ord_none' });
  await produce('listOrders 400 invalid_request', { path: '/v1/orders?limit=0' });
});

describe('getRecording and getRecordingLink', () => {
  it('200, 206, 304, 405, 416 and 500', async () => {
    const { key } = await record();
    const opened = await system.ctx.recordings.open(key);
    if (opened.kind === 'found') opened.stream.destroy();
    const etag = opened.kind === 'found' ? opened.etag : '';
    await produce('getRecording 200 ok', { path: mp3() });
    await produce('getRecording 206 ok', { path: mp3(), headers: { range: 'bytes=0-3' } });
    await produce('getRecording 304 ok', { path: mp3(), headers: { 'if-none-match': etag } });
    await produce('getRecording 416 ok', { path: mp3(), headers: { range: 'bytes=999-' } });
    await produce('getRecording 405 method_not_allowed', { path: mp3(), method: 'PUT' });
    await produce('getRecording 500 internal_error', { path: mp3(), port: broken.port });
    await produce('getRecordingLink 200 ok', { path: link() });
    await produce('getRecordingLink 405 method_not_allowed', { path: link(), method: 'PUT' });
    await produce('getRecordingLink 500 internal_error', { path: link(), port: broken.port });
  });

  it('404, 410, 502 and 503', async () => {
    await produce('getRecording 404 not_found', { path: mp3() });
    await produce('getRecordingLink 404 not_found', { path: link() });
    await record('deleted');
    await produce('getRecording 410 recording_deleted', { path: mp3() });
    await produce('getRecordingLink 410 recording_deleted', { path: link() });
    await without('recordings', async () => {
      await produce('getRecording 502 recording_unavailable', { path: mp3() });
      await produce('getRecordingLink 503 unavailable', { path: link() });
    });
  });
});

it('every outcome that the document promises was produced above', () => {
  const missing = documentedOutcomes().filter((outcome) => !seen.has(outcome));
  expect(missing.toSorted()).toEqual(Object.keys(unreachable).toSorted());
});
