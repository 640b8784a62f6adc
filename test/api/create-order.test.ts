// POST /v1/orders by status code, over real HTTP parsing and a real database.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { startServer } from '../../server/start-server.ts';
import {
  createAgent,
  createKey,
  createWorkspace,
  letters,
  orderBody,
  type TestWorkspace,
} from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock() });
  server = await startServer(system.ctx, { port: 0 });
});
afterAll(async () => {
  await server.stop();
  await system.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
});

async function post(body: unknown, options: { key?: string; idempotencyKey?: string } = {}) {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/orders`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${options.key ?? workspace.liveKey}`,
      ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as {
      success: boolean;
      error?: string;
      message?: string;
      order_id?: string;
    },
  };
}

async function expectRefusal(
  body: unknown,
  status: number,
  error: string,
  options?: Parameters<typeof post>[1],
) {
  const answer = await post(body, options);
  expect(answer).toMatchObject({ status, body: { success: false, error } });
  expect(Object.keys(answer.body).toSorted()).toEqual(['error', 'message', 'success']);
  return answer.body.message ?? '';
}

const countOrders = async () => {
  const [row] = await system.ctx.db<{ count: number }[]>`
    select count(*)::int as count from orders where workspace_id = ${workspace.id}`;
  return row?.count;
};

describe('202', () => {
  it('takes a live order, keeps it with its consent, and fills the cadence from the agent', async () => {
    const { status, body, headers } = await post(orderBody(workspace));
    expect(status).toBe(202);
    expect(body).toEqual({
      success: true,
      order_id: expect.stringMatching(/^ord_[0-9a-z]{26}$/),
      status: 'QUEUED',
      estimated_dial_seconds: expect.any(Number),
    });
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    const read = await fetch(`http://127.0.0.1:${server.port}/v1/orders/${body.order_id}`, {
      headers: { authorization: `Bearer ${workspace.testKey}` },
    });
    expect(await read.json()).toMatchObject({
      success: true,
      status: 'QUEUED',
      attempt_number: 0,
      test: false,
      cadence: { max_attempts: 3, retry_interval_minutes: 60, send_sms_on_voicemail: true },
      consent: {
        opt_in_confirmed: true,
        consented_at: '2026-11-01T12:00:00Z',
        source: 'https://example.com/form',
      },
    });
  });

  it('fills up a partial cadence', async () => {
    const { body } = await post(orderBody(workspace, { cadence: { max_attempts: 1 } }));
    const read = await fetch(`http://127.0.0.1:${server.port}/v1/orders/${body.order_id}`, {
      headers: { authorization: `Bearer ${workspace.liveKey}` },
    });
    expect(await read.json()).toMatchObject({
      cadence: { max_attempts: 1, retry_interval_minutes: 60 },
    });
  });

  it('answers the same Idempotency-Key with the same body and makes one order', async () => {
    const first = await post(orderBody(workspace), { idempotencyKey: 'lead-1' });
    const again = await post(orderBody(workspace), { idempotencyKey: 'lead-1' });
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await countOrders()).toBe(1);
  });

  it('answers 100 parallel requests with one key by one order', async () => {
    const requests = Array.from({ length: 100 }, () =>
      post(orderBody(workspace), { idempotencyKey: 'storm' }),
    );
    const answers = await Promise.all(requests);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    expect(await countOrders()).toBe(1);
  });
});

describe('400', () => {
  it.each(['', '[]', '"text"', 'null', '{"a":', '12'])('invalid_json: %j', async (body) => {
    await expectRefusal(body, 400, 'invalid_json');
  });
  it('consent_required beats a wrong key', async () => {
    const body = { ...orderBody(workspace), consent: undefined };
    await expectRefusal(body, 400, 'consent_required', { key: 'nonsense' });
  });
  it('invalid_consent_source', async () => {
    const consent = {
      opt_in_confirmed: true,
      consented_at: '2026-11-01T12:00:00Z',
      source: 'manual:me',
    };
    await expectRefusal(orderBody(workspace, { consent }), 400, 'invalid_consent_source');
  });
  it.each([
    ['agent_id', { agent_id: undefined }],
    ['lead', { lead: undefined }],
    ['lead.phone', { lead: {} }],
    ['cadence', { cadence: null }],
    ['cadence.max_attempts', { cadence: { max_attempts: 4 } }],
    ['cadence.retry_interval_minutes', { cadence: { retry_interval_minutes: 4 } }],
    ['cadence.send_sms_on_voicemail', { cadence: { send_sms_on_voicemail: 'yes' } }],
    ['webhook_url', { webhook_url: 'ftp://example.com/hook' }],
    ['external_reference_id', { external_reference_id: 'x'.repeat(201) }],
  ])('invalid_request names %s', async (field, change) => {
    expect(await expectRefusal(orderBody(workspace, change), 400, 'invalid_request')).toContain(
      field,
    );
  });
  it('invalid_request: consent older than 1,461 days', async () => {
    const consent = {
      opt_in_confirmed: true,
      consented_at: '2020-01-01T00:00:00Z',
      source: 'form',
    };
    expect(
      await expectRefusal(orderBody(workspace, { consent }), 400, 'invalid_request'),
    ).toContain('consent');
  });
  it('invalid_request: a bad Idempotency-Key', async () => {
    const message = await expectRefusal(orderBody(workspace), 400, 'invalid_request', {
      idempotencyKey: 'a b',
    });
    expect(message).toContain('Idempotency-Key');
  });
  it('invalid_phone', async () => {
    await expectRefusal(orderBody(workspace, { lead: { phone: '+1911' } }), 400, 'invalid_phone');
  });
});

describe('401', () => {
  it.each(['', 'svc_live_short', `svc_live_${'a'.repeat(40)}`])('unauthorized: %j', async (key) => {
    await expectRefusal(orderBody(workspace), 401, 'unauthorized', { key });
  });
  it('unauthorized: a revoked key', async () => {
    const key = `svc_live_${letters(40)}`;
    await createKey(system.ctx, workspace.id, 'live', key, new Date());
    await expectRefusal(orderBody(workspace), 401, 'unauthorized', { key });
  });
  it('a key that is revoked later stops within a second', async () => {
    expect((await post(orderBody(workspace))).status).toBe(202);
    await system.ctx
      .db`update api_keys set revoked_at = now() where workspace_id = ${workspace.id}`;
    await expect
      .poll(async () => (await post(orderBody(workspace))).status, { timeout: 1_500, interval: 50 })
      .toBe(401);
  });
});

describe('402', () => {
  it('plan_inactive', async () => {
    await system.ctx.db`update workspaces set plan_status = 'inactive' where id = ${workspace.id}`;
    await expectRefusal(orderBody(workspace), 402, 'plan_inactive');
  });
  it('insufficient_balance under $1.00', async () => {
    workspace = await createWorkspace(system.ctx, { balanceMicros: 999_999 });
    await expectRefusal(orderBody(workspace), 402, 'insufficient_balance');
  });
  it('takes an order at exactly $1.00', async () => {
    workspace = await createWorkspace(system.ctx, { balanceMicros: 1_000_000 });
    expect((await post(orderBody(workspace))).status).toBe(202);
  });
  it('insufficient_balance while calling is paused', async () => {
    await system.ctx.db`update wallets set paused = true where workspace_id = ${workspace.id}`;
    await expectRefusal(orderBody(workspace), 402, 'insufficient_balance');
  });
});

describe('404 and 409', () => {
  it('agent_not_found: an agent of another workspace', async () => {
    const other = await createWorkspace(system.ctx);
    await expectRefusal(orderBody(workspace, { agent_id: other.agentId }), 404, 'agent_not_found');
  });
  it('agent_inactive', async () => {
    const agentId = await createAgent(system.ctx, workspace.id, { active: false });
    await expectRefusal(orderBody(workspace, { agent_id: agentId }), 409, 'agent_inactive');
  });
  it('agent_not_published', async () => {
    const agentId = await createAgent(system.ctx, workspace.id, { published: false });
    await expectRefusal(orderBody(workspace, { agent_id: agentId }), 409, 'agent_not_published');
  });
  it('do_not_contact', async () => {
    await system.ctx.db`
      select suppress_number(${workspace.id}, '+12125550101', 'added', null, null, now())`;
    await expectRefusal(orderBody(workspace), 409, 'do_not_contact');
  });
  it('idempotency_key_conflict: live against test key, in either order', async () => {
    const options = { idempotencyKey: 'k' };
    await post(orderBody(workspace), options);
    const message = await expectRefusal(orderBody(workspace), 409, 'idempotency_key_conflict', {
      ...options,
      key: workspace.testKey,
    });
    expect(message).toContain('test or live');
  });
  it.each([
    ['agent_id', { agent_id: 'agt_other' }],
    ['lead.phone', { lead: { phone: '+12125550102' } }],
    ['external_reference_id', { external_reference_id: 'other' }],
  ])('idempotency_key_conflict names %s', async (field, change) => {
    await post(orderBody(workspace), { idempotencyKey: 'k' });
    const message = await expectRefusal(
      orderBody(workspace, change),
      409,
      'idempotency_key_conflict',
      {
        idempotencyKey: 'k',
      },
    );
    expect(message).toContain(field);
  });
  it('only a 202 binds an Idempotency-Key', async () => {
    await expectRefusal(orderBody(workspace, { agent_id: 'none' }), 404, 'agent_not_found', {
      idempotencyKey: 'k',
    });
    expect((await post(orderBody(workspace), { idempotencyKey: 'k' })).status).toBe(202);
  });
});

describe('422', () => {
  it.each(['+14165550123', '+17875550123', '+442071838750', '+18005550123'])(
    'unsupported_destination: %s, for live and test keys',
    async (phone) => {
      await expectRefusal(
        orderBody(workspace, { lead: { phone } }),
        422,
        'unsupported_destination',
      );
      await expectRefusal(
        orderBody(workspace, { lead: { phone } }),
        422,
        'unsupported_destination',
        {
          key: workspace.testKey,
        },
      );
    },
  );
});

describe('429', () => {
  it('rate_limited: more than 500 test orders in 24 hours', async () => {
    await system.ctx.db`
      insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
        max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent,
        estimated_dial_seconds, next_dial_at, created_at, updated_at)
      select ${workspace.id}, 'ord_' || n, true, ${workspace.agentId}, 1, 'QUEUED',
        '+12125550001', 3, 60,
        true, '{}', 1, now() + interval '1 day', now(), now() from generate_series(1, 500) n`;
    await expectRefusal(orderBody(workspace), 429, 'rate_limited', { key: workspace.testKey });
    expect((await post(orderBody(workspace))).status).toBe(202);
  });
});

describe('503', () => {
  it('suppression_unavailable: no order is taken when the do-not-contact list cannot be read', async () => {
    await system.ctx.db`alter table do_not_contact rename to do_not_contact_away`;
    try {
      await expectRefusal(orderBody(workspace), 503, 'suppression_unavailable');
    } finally {
      await system.ctx.db`alter table do_not_contact_away rename to do_not_contact`;
    }
    expect(await countOrders()).toBe(0);
  });
  it('wallet_unavailable: no order is taken when the wallet cannot be read', async () => {
    await system.ctx.db`alter table wallets rename to wallets_away`;
    try {
      await expectRefusal(orderBody(workspace), 503, 'wallet_unavailable');
    } finally {
      await system.ctx.db`alter table wallets_away rename to wallets`;
    }
  });
});
