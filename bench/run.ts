// Runs one benchmark by name: `node bench/run.ts gateway --json`.
import { parseArgs } from 'node:util';

export interface BenchResult {
  readonly name: string;
  /** What the bare minimum for the same work reaches, in the same run on the same machine. */
  readonly floor: number;
  readonly measured: number;
  readonly ratio: number;
  readonly [detail: string]: number | string;
}

export interface Bench {
  /** Progress goes to `note`, one line each; the result is returned. */
  runBench(note: (line: string) => void): Promise<BenchResult>;
}

const benches = new Map([
  ['gateway', './gateway.ts'],
  ['orders', './orders.ts'],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const [name = ''] = positionals;
const file = benches.get(name);

if (file === undefined) {
  console.error(`usage: bench <${[...benches.keys()].join('|')}> [--json]`);
  process.exitCode = 2;
} else {
  // Every file in the table exports a Bench.
  const bench = (await import(file)) as Bench;
  const result = await bench.runBench((line) => console.error(line));
  console.log(values.json ? JSON.stringify(result) : describe(result));
}

function describe(result: BenchResult): string {
  return Object.entries(result)
    .map(([key, value]) => `${key.padEnd(12)}${value}`)
    .join('\n');
}
