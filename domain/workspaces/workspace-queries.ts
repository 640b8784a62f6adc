// Named SQL of workspaces, keys and members.
import type { Db } from '../../platform/db.ts';
import type { KeyIdentity } from './key-identity.ts';

/** The key names the workspace, so this is the one look-up that is not filtered by it. */
export async function findKeyByHash(db: Db, hash: Buffer): Promise<KeyIdentity | null> {
  const [key] = await db<KeyIdentity[]>`
    select id as key_id, workspace_id, mode from api_keys where hash = ${hash} and revoked_at is null`;
  return key ?? null;
}

export interface SealedWebhookSecrets {
  readonly current: string;
  /** Null when there is none or its overlap has ended. */
  readonly old: string | null;
}

export async function findWebhookSecrets(
  db: Db,
  workspaceId: string,
  now: Date,
): Promise<SealedWebhookSecrets | null> {
  const [row] = await db<SealedWebhookSecrets[]>`
    select webhook_secret_sealed as current,
      case when old_webhook_secret_until > ${now} then old_webhook_secret_sealed end as old
    from workspaces where id = ${workspaceId}`;
  return row ?? null;
}
