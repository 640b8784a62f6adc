// The demo workspace. Its keys come from the application secret, so that seeding again shows the same ones.
import { createHmac, scryptSync } from 'node:crypto';
import type { Context } from '../context.ts';
import { hashApiKey } from './authenticate-key.ts';
import { demoAgent } from './demo-agent.ts';
import * as queries from './seed-queries.ts';
import { sealWebhookSecret } from './webhook-secret.ts';

const ids = {
  workspace: 'wsp_demo',
  otherWorkspace: 'wsp_demo_other',
  agent: 'agt_demo',
  otherAgent: 'agt_demo_other',
  inactiveAgent: 'agt_demo_inactive',
  unpublishedAgent: 'agt_demo_unpublished',
} as const;

const startingBalanceMicros = 100_000_000;
const callerNumber = '+12125550199';
const otherCallerNumber = '+12125550198';
const ownerEmail = 'owner@example.com';

/** Weekdays nine to five; Sunday first. */
const openingHours = [null, ...Array.from({ length: 5 }, () => ['09:00', '17:00']), null];

export async function createSeed(ctx: Context) {
  const derive = (name: string) =>
    createHmac('sha256', ctx.appSecret).update(`seed:${name}`).digest('hex').slice(0, 40);
  const now = ctx.clock.now();
  const seed = {
    workspace_id: ids.workspace,
    agent_id: ids.agent,
    inactive_agent_id: ids.inactiveAgent,
    unpublished_agent_id: ids.unpublishedAgent,
    live_key: `svc_live_${derive('live')}`,
    test_key: `svc_test_${derive('test')}`,
    revoked_key: `svc_live_${derive('revoked')}`,
    other_workspace_live_key: `svc_live_${derive('other')}`,
    webhook_secret: `whsec_${derive('webhook')}`,
    trigger_token: derive('trigger'),
    caller_number: callerNumber,
    owner_email: ownerEmail,
    owner_password: derive('owner').slice(0, 20),
  };
  await seedWorkspace(ctx, ids.workspace, 'Demo', callerNumber, seed.webhook_secret, now);
  await seedWorkspace(
    ctx,
    ids.otherWorkspace,
    'Demo, the other one',
    otherCallerNumber,
    `whsec_${derive('webhook2')}`,
    now,
  );
  await seedAgents(ctx, now);
  await seedKeys(ctx, seed, now);
  await queries.insertOwner(ctx.db, {
    workspaceId: ids.workspace,
    userId: 'usr_demo_owner',
    email: ownerEmail,
    passwordHash: hashPassword(seed.owner_password, derive('salt').slice(0, 32)),
    now,
  });
  await queries.insertTriggerUrl(ctx.db, {
    workspaceId: ids.workspace,
    id: 'trg_demo',
    agentId: ids.agent,
    tokenHash: hashApiKey(seed.trigger_token),
    now,
  });
  return seed;
}

async function seedWorkspace(
  ctx: Context,
  id: string,
  name: string,
  phone: string,
  webhookSecret: string,
  now: Date,
) {
  await queries.insertWorkspace(ctx.db, {
    id,
    name,
    webhookSecretSealed: sealWebhookSecret(ctx.appSecret, webhookSecret),
    timezone: demoAgent.timezone,
    openingHours,
    now,
  });
  await queries.insertCallerNumber(ctx.db, {
    workspaceId: id,
    id: `num_${id}`,
    phone,
    now,
  });
  await queries.depositOnce(ctx.db, {
    workspaceId: id,
    transferId: `trf_seed_${id}`,
    amountMicros: startingBalanceMicros,
    now,
  });
}

async function seedAgents(ctx: Context, now: Date) {
  const agent = (
    id: string,
    name: string,
    rest: { active: boolean; published: boolean },
    workspaceId: string,
  ) => queries.insertAgent(ctx.db, { workspaceId, id, name, ...rest, config: demoAgent, now });
  await agent(ids.agent, 'Roof quotes', { active: true, published: true }, ids.workspace);
  await agent(ids.inactiveAgent, 'Switched off', { active: false, published: true }, ids.workspace);
  await agent(ids.unpublishedAgent, 'Draft', { active: true, published: false }, ids.workspace);
  await agent(ids.otherAgent, 'Roof quotes', { active: true, published: true }, ids.otherWorkspace);
}

async function seedKeys(
  ctx: Context,
  seed: {
    live_key: string;
    test_key: string;
    revoked_key: string;
    other_workspace_live_key: string;
  },
  now: Date,
) {
  const key = (
    workspaceId: string,
    id: string,
    mode: 'live' | 'test',
    text: string,
    revokedAt: Date | null,
  ) =>
    queries.insertApiKey(ctx.db, {
      workspaceId,
      id,
      mode,
      hash: hashApiKey(text),
      last4: text.slice(-4),
      revokedAt,
      now,
    });
  await key(ids.workspace, 'key_demo_live', 'live', seed.live_key, null);
  await key(ids.workspace, 'key_demo_test', 'test', seed.test_key, null);
  await key(ids.workspace, 'key_demo_revoked', 'live', seed.revoked_key, now);
  await key(ids.otherWorkspace, 'key_demo_other', 'live', seed.other_workspace_live_key, null);
}

/** salt:hash in hex, scrypt N=16384 r=16 p=1. */
function hashPassword(password: string, salt: string): string {
  const cost = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
  return `${salt}:${scryptSync(password.normalize('NFKC'), salt, 64, cost).toString('hex')}`;
}
