// GET /v1/me and GET /v1/agents over real HTTP and a real database.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Agent } from '../../openapi/agents.ts';
import type { Me } from '../../openapi/me.ts';
import { systemClock } from '../../platform/clock.ts';
import { startServer } from '../../server/start-server.ts';
import { assertConforms } from '../support/conformance.ts';
import { createAgent, createWorkspace, type TestWorkspace } from '../support/factories.ts';
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

type Failure = { readonly success: false; readonly error: string; readonly message: string };

/** Every answer is held against the document. */
async function get<Body>(path: string, key = workspace.liveKey) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  const { status, headers } = response;
  assertConforms({ method: 'GET', path, status, headers: Object.fromEntries(headers), body: text });
  return { status, body: JSON.parse(text) as Body };
}

const me = async (key?: string) => (await get<Me>('/v1/me', key)).body;
const agents = async () => (await get<{ agents: Agent[] }>('/v1/agents')).body.agents;

async function withoutTable<Result>(table: string, act: () => Promise<Result>): Promise<Result> {
  const { db } = system.ctx;
  await db`alter table ${db(table)} rename to ${db(`${table}_away`)}`;
  try {
    return await act();
  } finally {
    await db`alter table ${db(`${table}_away`)} rename to ${db(table)}`;
  }
}

describe('GET /v1/me', () => {
  it('tells whom the key speaks for and what it may do', async () => {
    expect(await me()).toEqual({
      success: true,
      workspace: { id: workspace.id, name: 'Test', timezone: 'America/New_York' },
      key: {
        id: expect.stringMatching(/^key_/) as string,
        name: 'Demo',
        mode: 'live',
        last4: workspace.liveKey.slice(-4),
        created_at: expect.stringMatching(/Z$/) as string,
      },
      plan: { status: 'active' },
      wallet: {
        balance_cents: 10_000,
        held_cents: 0,
        unpaid_rent_cents: 0,
        available_cents: 10_000,
        currency: 'USD',
      },
      can_place_orders: true,
      blocked_reason: null,
      limits: {
        live_calls: { limit: 10, current: 0 },
        test_orders: { limit: 500, used: 0 },
        reads_per_minute: 120,
      },
    });
  });

  it('never shows more money than there is', async () => {
    await system.ctx.db`
      update wallets set balance_micros = 999999, held_micros = 15000
      where workspace_id = ${workspace.id}`;
    expect(await me()).toMatchObject({
      wallet: { balance_cents: 99, held_cents: 2, available_cents: 98 },
      can_place_orders: false,
      blocked_reason: 'insufficient_balance',
    });
  });

  it('says what an order would be refused with', async () => {
    const { db } = system.ctx;
    await db`update wallets set paused = true where workspace_id = ${workspace.id}`;
    expect(await me()).toMatchObject({ blocked_reason: 'insufficient_balance' });
    await db`update workspaces set plan_status = 'inactive' where id = ${workspace.id}`;
    expect(await me()).toMatchObject({ blocked_reason: 'plan_inactive' });
    expect(await me(workspace.testKey)).toMatchObject({ can_place_orders: true });
  });

  it('shows null for a wallet that cannot be read', async () => {
    expect(await withoutTable('wallets', () => me())).toMatchObject({
      wallet: null,
      can_place_orders: false,
      blocked_reason: 'wallet_unavailable',
    });
  });

  it('counts test orders', async () => {
    await system.ctx.db`
      insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
        max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent,
        estimated_dial_seconds, next_dial_at, created_at, updated_at)
      select ${workspace.id}, 'ord_' || n, true, ${workspace.agentId}, 1, 'QUEUED', '+12125550001',
        3, 60, true, '{}', 1, now() + interval '1 day', now() - n * interval '6 minutes', now()
      from generate_series(1, 300) n`;
    expect(await me()).toMatchObject({ limits: { test_orders: { used: 239 } } });
  });

  it('unauthorized: without a valid key', async () => {
    expect(await get<Failure>('/v1/me', 'nonsense')).toMatchObject({ status: 401 });
  });

  it('unavailable: while the workspace cannot be read', async () => {
    const answer = await withoutTable('workspaces', () => get<Failure>('/v1/me'));
    expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } });
  });
});

describe('GET /v1/agents', () => {
  it('shows a published agent with what an order needs to know', async () => {
    expect(await agents()).toEqual([
      {
        agent_id: workspace.agentId,
        name: 'Test agent',
        active: true,
        published: true,
        published_at: expect.stringMatching(/Z$/) as string,
        version: 1,
        callable: true,
        not_callable_reason: null,
        language: 'en-US',
        timezone: 'America/New_York',
        questions: [
          {
            key: 'homeowner',
            question: 'Are you the owner of the home?',
            type: 'yes_no',
            required: true,
          },
          expect.objectContaining({ key: 'roof_age_years', type: 'number' }),
          expect.objectContaining({ key: 'start', type: 'choice' }),
        ],
        cadence_defaults: {
          max_attempts: 3,
          retry_interval_minutes: 60,
          send_sms_on_voicemail: true,
        },
        calendar_connected: true,
        caller_numbers: ['+12125550199'],
        created_at: expect.stringMatching(/Z$/) as string,
        updated_at: expect.stringMatching(/Z$/) as string,
      },
    ]);
  });

  it('says why an agent cannot call', async () => {
    const { db } = system.ctx;
    const inactive = await createAgent(system.ctx, workspace.id, { active: false });
    const draft = await createAgent(system.ctx, workspace.id, { published: false });
    await db`update caller_numbers set active = false where workspace_id = ${workspace.id}`;
    const reasons = (await agents()).map((agent) => [agent.agent_id, agent.not_callable_reason]);
    expect(Object.fromEntries(reasons)).toEqual({
      [workspace.agentId]: 'no_caller_id',
      [inactive]: 'agent_inactive',
      [draft]: 'agent_not_published',
    });
    expect((await agents()).find((agent) => agent.agent_id === draft)).toMatchObject({
      published: false,
      published_at: null,
      version: null,
      questions: [],
      cadence_defaults: null,
    });
  });

  it('says that no calendar is connected while it is broken or never open', async () => {
    const connected = async () => (await agents()).map((agent) => agent.calendar_connected);
    const { db } = system.ctx;
    await db`
      update calendars set broken_reason = 'access_revoked' where workspace_id = ${workspace.id}`;
    expect(await connected()).toEqual([false]);
    await db`
      update calendars set broken_reason = null,
        opening_hours = '[null,null,null,null,null,null,null]'
      where workspace_id = ${workspace.id}`;
    expect(await connected()).toEqual([false]);
    await db`
      update calendars set opening_hours = '[["09:00","10:00"],null,null,null,null,null,null]'
      where workspace_id = ${workspace.id}`;
    expect(await connected()).toEqual([true]);
  });

  it('never shows those of another workspace', async () => {
    await createWorkspace(system.ctx);
    expect(await agents()).toHaveLength(1);
  });

  it('unavailable: while agents cannot be read', async () => {
    const answer = await withoutTable('agents', () => get<Failure>('/v1/agents'));
    expect(answer).toMatchObject({ status: 503, body: { error: 'unavailable' } });
  });
});
