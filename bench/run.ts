// Runs one benchmark by name: `npm run bench -- gateway --json`.
import { parseArgs } from 'node:util';
import type { BenchResult } from './bench-result.ts';

/** Each is loaded only when it runs, as each brings its own half of the product. */
const benches = new Map<string, () => Promise<BenchResult>>([
  ['gateway', async () => (await import('./gateway.ts')).benchGateway()],
  ['leads', async () => (await import('./leads.ts')).benchLeads()],
  ['lists', async () => (await import('./lists.ts')).benchLists()],
  ['orders', async () => (await import('./orders.ts')).benchOrders()],
  ['rate-deck', async () => (await import('./rate-deck.ts')).benchRateDeck()],
  ['reads', async () => (await import('./reads.ts')).benchReads()],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const run = benches.get(positionals[0] ?? '');

if (run) {
  const result = await run();
  console.log(values.json ? JSON.stringify(result) : describe(result));
} else {
  console.error(`usage: bench <${[...benches.keys()].join('|')}> [--json]`);
  process.exitCode = 2;
}

function describe(result: BenchResult): string {
  const rows = Object.entries(result).map(([key, value]) => `${key.padEnd(10)}${value}`);
  return rows.join('\n');
}
