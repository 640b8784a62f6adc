// Keeps when a key was last used, without a write per request: once per key and minute, many at a time.
import type { Context } from '../context.ts';
import type { KeyIdentity } from './key-identity.ts';
import { writeKeyUses } from './workspace-queries.ts';

const limits = {
  /** No key is written more often, by whatever number of processes. */
  writeEveryMs: 60_000,
  /** Uses of this long are written together. */
  gatherMs: 250,
  knownKeysMax: 10_000,
} as const;

interface KeyUses {
  readonly notedAtMs: Map<string, number>;
  readonly waiting: Map<string, KeyIdentity>;
}

/** One memory per context, so that tests and processes share nothing. */
const memories = new WeakMap<Context, KeyUses>();

/** Returns at once; a use that cannot be written is forgotten. */
export function noteKeyUse(ctx: Context, key: KeyIdentity): void {
  const { notedAtMs, waiting } = usesOf(ctx);
  const nowMs = ctx.clock.monotonicMs();
  const notedMs = notedAtMs.get(key.keyId);
  if (notedMs !== undefined && nowMs - notedMs < limits.writeEveryMs) return;
  if (notedAtMs.size >= limits.knownKeysMax) notedAtMs.clear();
  notedAtMs.set(key.keyId, nowMs);
  waiting.set(key.keyId, key);
  if (waiting.size === 1) ctx.clock.setTimer(() => void write(ctx, waiting), limits.gatherMs);
}

async function write(ctx: Context, waiting: Map<string, KeyIdentity>): Promise<void> {
  const keys = [...waiting.values()];
  waiting.clear();
  const now = ctx.clock.now();
  const staleBefore = new Date(now.getTime() - limits.writeEveryMs);
  try {
    await writeKeyUses(ctx.db, keys, { now, staleBefore });
  } catch (err) {
    ctx.log.debug({ err }, 'last use of keys was not written');
  }
}

function usesOf(ctx: Context): KeyUses {
  const known = memories.get(ctx);
  if (known) return known;
  const made: KeyUses = { notedAtMs: new Map(), waiting: new Map() };
  memories.set(ctx, made);
  return made;
}
