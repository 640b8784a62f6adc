// API key -> workspace and mode.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import type { KeyIdentity } from './key-identity.ts';
import { noteKeyUse } from './note-key-use.ts';
import { findKeysByHashPrefix } from './workspace-queries.ts';

export type { KeyIdentity };

const limits = {
  /** A revoked key stops within a second in every process. */
  cacheMs: 1_000,
  cachedKeysMax: 10_000,
} as const;

interface CachedKey {
  readonly identity: KeyIdentity | null;
  readonly freshUntilMs: number;
}

/** One cache per context, so that tests and processes share nothing. */
const caches = new WeakMap<Context, Map<string, CachedKey>>();

/** Null when the key is missing, malformed, unknown or revoked. */
export async function authenticateKey(
  ctx: Context,
  authorization: string | undefined,
): Promise<KeyIdentity | null> {
  const key = /^Bearer +(svc_(?:live|test)_[A-Za-z0-9]{16,128}) *$/i.exec(authorization ?? '')?.[1];
  if (!key) return null;
  const identity = await identify(ctx, hashApiKey(key));
  if (identity) noteKeyUse(ctx, identity);
  return identity;
}

async function identify(ctx: Context, hash: Buffer): Promise<KeyIdentity | null> {
  const cacheKey = hash.toString('base64url');
  const cache = cacheOf(ctx);
  const nowMs = ctx.clock.monotonicMs();
  const cached = cache.get(cacheKey);
  if (cached && cached.freshUntilMs > nowMs) return cached.identity;
  const candidates = await findKeysByHashPrefix(ctx.db, hash);
  const found = candidates.find((candidate) => timingSafeEqual(candidate.hash, hash));
  const identity = found
    ? { keyId: found.keyId, workspaceId: found.workspaceId, mode: found.mode }
    : null;
  if (cache.size >= limits.cachedKeysMax) cache.clear();
  cache.set(cacheKey, { identity, freshUntilMs: nowMs + limits.cacheMs });
  return identity;
}

export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function cacheOf(ctx: Context): Map<string, CachedKey> {
  const known = caches.get(ctx);
  if (known) return known;
  const made = new Map<string, CachedKey>();
  caches.set(ctx, made);
  return made;
}
