// Named SQL of the demo workspace; every insert leaves what is there as it is.
import type { Db } from '../../platform/db.ts';

export async function insertWorkspace(
  db: Db,
  workspace: {
    id: string;
    name: string;
    webhookSecretSealed: string;
    timezone: string;
    openingHours: unknown;
    now: Date;
  },
) {
  await db`
    with made as (
      insert into workspaces (id, name, timezone, webhook_secret_sealed, created_at)
      values (${workspace.id}, ${workspace.name}, ${workspace.timezone}, ${workspace.webhookSecretSealed},
        ${workspace.now})
      on conflict do nothing returning id
    ), wallet as (insert into wallets (workspace_id) select id from made)
    insert into calendars (workspace_id, timezone, opening_hours)
    select id, ${workspace.timezone}, ${db.json(workspace.openingHours as never)} from made`;
}

/** Its first month is paid for. */
export async function insertCallerNumber(
  db: Db,
  number: { workspaceId: string; id: string; phone: string; now: Date },
) {
  await db`
    insert into caller_numbers (workspace_id, id, phone, created_at, rent_due_at)
    values (${number.workspaceId}, ${number.id}, ${number.phone}, ${number.now},
      ${number.now}::timestamptz + interval '1 month') on conflict do nothing`;
}

export async function depositOnce(
  db: Db,
  deposit: { workspaceId: string; transferId: string; amountMicros: number; now: Date },
) {
  await db`
    select deposit(${deposit.workspaceId}, ${deposit.transferId}, ${deposit.transferId},
      ${deposit.amountMicros}::bigint, ${deposit.now})`;
}

export async function insertAgent(
  db: Db,
  agent: {
    workspaceId: string;
    id: string;
    name: string;
    active: boolean;
    published: boolean;
    config: object;
    now: Date;
  },
) {
  await db`
    with made as (
      insert into agents (workspace_id, id, name, active, published_version, created_at, updated_at)
      values (${agent.workspaceId}, ${agent.id}, ${agent.name}, ${agent.active},
        ${agent.published ? 1 : null}, ${agent.now}, ${agent.now})
      on conflict do nothing returning id)
    insert into agent_versions (workspace_id, agent_id, version, config, published_at)
    select ${agent.workspaceId}, id, 1, ${db.json(agent.config as never)}, ${agent.now}
    from made where ${agent.published}`;
}

export async function insertApiKey(
  db: Db,
  key: {
    workspaceId: string;
    id: string;
    mode: 'live' | 'test';
    hash: Buffer;
    last4: string;
    revokedAt: Date | null;
    now: Date;
  },
) {
  await db`
    insert into api_keys (workspace_id, id, mode, name, hash, last4, created_at, revoked_at)
    values (${key.workspaceId}, ${key.id}, ${key.mode}, 'Demo', ${key.hash}, ${key.last4}, ${key.now},
      ${key.revokedAt})
    on conflict do nothing`;
}

export async function insertOwner(
  db: Db,
  owner: { workspaceId: string; userId: string; email: string; passwordHash: string; now: Date },
) {
  await db`
    with made as (
      insert into users (id, email, password_hash, created_at)
      values (${owner.userId}, ${owner.email}, ${owner.passwordHash}, ${owner.now})
      on conflict do nothing returning id)
    insert into members (workspace_id, user_id, role) select ${owner.workspaceId}, id, 'owner' from made`;
}

export async function insertTriggerUrl(
  db: Db,
  trigger: { workspaceId: string; id: string; agentId: string; tokenHash: Buffer; now: Date },
) {
  await db`
    insert into trigger_urls (workspace_id, id, agent_id, token_hash, active, consent_statement,
      consent_statement_accepted_at, created_at)
    values (${trigger.workspaceId}, ${trigger.id}, ${trigger.agentId}, ${trigger.tokenHash}, true,
      'Every lead sent to this URL has agreed to be called by an automated voice.', ${trigger.now},
      ${trigger.now})
    on conflict do nothing`;
}
