// Named SQL of workspaces, keys and members.
import type { Db } from '../../platform/db.ts';
import type { KeyIdentity } from './key-identity.ts';

/** How much of a hash finds a key; the rest is compared by whoever asks. */
const lookupPrefixBytes = 8;

/** The key names the workspace, so this is the one look-up that is not filtered by it. */
export async function findKeysByHashPrefix(db: Db, hash: Buffer) {
  return db<(KeyIdentity & { readonly hash: Buffer })[]>`
    select id as key_id, workspace_id, mode, hash from api_keys
    where lookup_prefix = ${hash.subarray(0, lookupPrefixBytes)} and revoked_at is null`;
}

export async function writeKeyUses(
  db: Db,
  keys: readonly KeyIdentity[],
  { now, staleBefore }: { now: Date; staleBefore: Date },
): Promise<void> {
  await db`
    update api_keys k set last_used_at = ${now}
    from unnest(${keys.map((key) => key.workspaceId)}::text[], ${keys.map((key) => key.keyId)}::text[])
      as used(workspace_id, id)
    where k.workspace_id = used.workspace_id and k.id = used.id
      and (k.last_used_at is null or k.last_used_at <= ${staleBefore})`;
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
