// Fresh workspaces, so that no test sees another's data.
import { demoAgent } from '../../domain/workspaces/demo-agent.ts';
import { hashApiKey } from '../../domain/workspaces/authenticate-key.ts';
import * as queries from '../../domain/workspaces/seed-queries.ts';
import { sealWebhookSecret } from '../../domain/workspaces/webhook-secret.ts';
import type { AgentConfig } from '../../domain/agents/agent-config.ts';
import type { Context } from '../../domain/context.ts';
import { newId, newToken } from '../../platform/ids.ts';

export interface TestWorkspace {
  readonly id: string;
  readonly agentId: string;
  readonly liveKey: string;
  readonly testKey: string;
  readonly webhookSecret: string;
}

export async function createWorkspace(
  ctx: Context,
  options: {
    balanceMicros?: number;
    agent?: Partial<AgentConfig>;
    /** Its own, where calls come in: the others share one. */
    callerNumber?: string;
  } = {},
): Promise<TestWorkspace> {
  const now = ctx.clock.now();
  const id = newId('wsp', now);
  const workspace = {
    id,
    agentId: newId('agt', now),
    liveKey: `svc_live_${letters(40)}`,
    testKey: `svc_test_${letters(40)}`,
    webhookSecret: `whsec_${letters(40)}`,
  };
  const everyHour = Array.from({ length: 7 }, () => ['00:00', '24:00']);
  await queries.insertWorkspace(ctx.db, {
    id,
    name: 'Test',
    webhookSecretSealed: sealWebhookSecret(ctx.appSecret, workspace.webhookSecret),
    timezone: 'America/New_York',
    openingHours: everyHour,
    now,
  });
  await queries.insertCallerNumber(ctx.db, {
    workspaceId: id,
    id: newId('num', now),
    phone: options.callerNumber ?? '+12125550199',
    now,
  });
  const amountMicros = options.balanceMicros ?? 100_000_000;
  if (amountMicros > 0)
    await queries.depositOnce(ctx.db, {
      workspaceId: id,
      transferId: newId('trf', now),
      amountMicros,
      now,
    });
  await createAgent(ctx, id, { id: workspace.agentId, config: options.agent ?? {} });
  for (const [mode, key] of [
    ['live', workspace.liveKey],
    ['test', workspace.testKey],
  ] as const)
    await createKey(ctx, id, mode, key, null);
  return workspace;
}

export async function createAgent(
  ctx: Context,
  workspaceId: string,
  options: {
    id?: string;
    active?: boolean;
    published?: boolean;
    config?: Partial<AgentConfig>;
  } = {},
): Promise<string> {
  const now = ctx.clock.now();
  const id = options.id ?? newId('agt', now);
  await queries.insertAgent(ctx.db, {
    workspaceId,
    id,
    name: 'Test agent',
    active: options.active ?? true,
    published: options.published ?? true,
    config: { ...demoAgent, ...options.config },
    now,
  });
  return id;
}

export async function createKey(
  ctx: Context,
  workspaceId: string,
  mode: 'live' | 'test',
  key: string,
  revokedAt: Date | null,
) {
  const now = ctx.clock.now();
  await queries.insertApiKey(ctx.db, {
    workspaceId,
    id: newId('key', now),
    mode,
    hash: hashApiKey(key),
    last4: key.slice(-4),
    revokedAt,
    now,
  });
}

export function letters(count: number): string {
  return newToken(count * 2)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, count)
    .padEnd(count, 'x');
}

/** An order body that every check lets pass. */
export function orderBody(workspace: TestWorkspace, change: Record<string, unknown> = {}) {
  return {
    agent_id: workspace.agentId,
    lead: { phone: '+12125550101', first_name: 'Dana' },
    consent: {
      opt_in_confirmed: true,
      consented_at: '2026-11-01T12:00:00Z',
      source: 'https://example.com/form',
    },
    ...change,
  };
}
