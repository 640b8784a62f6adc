// A deck of 200,000 rows: look-ups of a number, against one bare Map look-up; and how long the deck takes to load.
import { RateDeck } from '../domain/billing/rate-deck.ts';
import { parseRateDeck } from '../adapters/rate-decks/parse-rate-deck.ts';
import type { BenchResult } from './bench-result.ts';

const limits = { rows: 200_000, lookUps: 2_000_000, rounds: 5, loads: 5 } as const;

const now = new Date('2026-05-01T12:00:00Z');

export async function benchRateDeck(): Promise<BenchResult & { readonly load_ms: number }> {
  const text = deckText();
  const loadsMs: number[] = [];
  let deck = new RateDeck();
  for (let load = 0; load < limits.loads; load++) {
    const startMs = performance.now();
    deck = await parseRateDeck(text);
    loadsMs.push(performance.now() - startMs);
  }
  const phones = Array.from({ length: 4_096 }, (_, n) => `+1${2_000_000_000 + n * 1_464_843}`);
  const bare = new Map(phones.map((phone) => [phone, phone]));
  const floor: number[] = [];
  const measured: number[] = [];
  for (let round = 0; round < limits.rounds; round++) {
    floor.push(lookUpNs(phones, (phone) => bare.get(phone)));
    measured.push(lookUpNs(phones, (phone) => deck.find(phone, now)));
  }
  const [floorNs, measuredNs] = [median(floor), median(measured)];
  return {
    name: 'rate-deck (look-ups a second)',
    floor: Math.round(1e9 / floorNs),
    measured: Math.round(1e9 / measuredNs),
    ratio: Number((floorNs / measuredNs).toFixed(3)),
    p50_ms: Number((measuredNs / 1e6).toFixed(6)),
    p99_ms: Number((Math.max(...measured) / 1e6).toFixed(6)),
    rss_mb: Math.round(process.memoryUsage().rss / 1_048_576),
    load_ms: Math.round(median(loadsMs)),
  };
}

/** Every exchange of 667 area codes, over a row for the whole country. */
function deckText(): string {
  const rows = Array.from(
    { length: limits.rows - 1 },
    (_, n) =>
      `1${200 + Math.floor(n / 300)}${200 + (n % 300)},surcharge,2.5,Rural exchange,2026-01-01,,bench`,
  );
  return [
    'prefix,action,surcharge_cents_per_min,label,effective_from,effective_to,source',
    '1,allow,0,US default,2026-01-01,,bench',
    ...rows,
  ].join('\n');
}

function lookUpNs(phones: readonly string[], find: (phone: string) => unknown): number {
  let found = 0;
  const startMs = performance.now();
  for (let n = 0; n < limits.lookUps; n++) if (find(phones[n & 4_095] ?? '')) found++;
  const ns = ((performance.now() - startMs) * 1e6) / limits.lookUps;
  if (found !== limits.lookUps) throw new Error('A number has no row.');
  return ns;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
