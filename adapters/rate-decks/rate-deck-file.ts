// The rate deck in a CSV file, read again when the file changes; no restart is needed.
import { readFile, stat } from 'node:fs/promises';
import type { RateDeck, RateDecks } from '../../domain/billing/rate-deck.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { parseRateDeck, RateDeckError } from './parse-rate-deck.ts';

/** How long a deck is used before the file is looked at again. */
const lookAgainMs = 1_000;

interface Loaded {
  readonly deck: RateDeck;
  /** Which state of the file this is. */
  readonly stamp: string;
}

/**
 * A file that cannot be read rejects: nothing is dialled unpriced. A file with a broken line is refused whole; the
 * deck before it stays, or there is none.
 */
export function createRateDeckFile(options: {
  path: string;
  clock: Pick<Clock, 'monotonicMs'>;
  log: Logger;
}): RateDecks {
  let loaded: Loaded | null = null;
  let refusedStamp: string | null = null;
  let lookedAtMs = -Infinity;
  let looking: Promise<RateDeck> | null = null;

  async function look(): Promise<RateDeck> {
    const { mtimeMs, size, ino } = await stat(options.path);
    const stamp = `${ino}:${size}:${mtimeMs}`;
    if (stamp !== loaded?.stamp && stamp !== refusedStamp) await load(stamp);
    if (!loaded) throw new Error('The rate deck was refused.');
    lookedAtMs = options.clock.monotonicMs();
    return loaded.deck;
  }

  async function load(stamp: string): Promise<void> {
    try {
      const deck = await parseRateDeck(await readFile(options.path, 'utf8'));
      loaded = { deck, stamp };
      refusedStamp = null;
      options.log.info({ rows: deck.size }, 'rate deck read');
    } catch (error) {
      if (!(error instanceof RateDeckError)) throw error;
      refusedStamp = stamp;
      const kept = loaded !== null;
      options.log.error({ line: error.line, problem: error.message, kept }, 'rate deck refused');
    }
  }

  return {
    current() {
      if (loaded && options.clock.monotonicMs() - lookedAtMs < lookAgainMs)
        return Promise.resolve(loaded.deck);
      looking ??= look().finally(() => {
        looking = null;
      });
      return looking;
    },
  };
}
