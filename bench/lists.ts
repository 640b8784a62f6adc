// The order list of a workspace with a million orders against one with ten thousand, for every combination of
// filters; the figure is that of the combination that loses most.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDatabase } from '../compose/prepare-database.ts';
import type { Context } from '../domain/context.ts';
import { findOrderPage, orderPageSql } from '../domain/orders/order-list-queries.ts';
import { createSeed } from '../domain/workspaces/seed-demo.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { newToken } from '../platform/ids.ts';
import { createLogger } from '../platform/log.ts';
import {
  type BusyWorkspace,
  filterCombinations,
  insertManyOrders,
} from '../test/support/many-orders.ts';
import { createContextForBench } from './bench-context.ts';
import type { BenchResult } from './bench-result.ts';

const limits = { few: 10_000, many: 1_000_000, warmUps: 20, samples: 60, pageRows: 51 } as const;

interface Timing {
  readonly name: string;
  readonly fewMs: readonly number[];
  readonly manyMs: readonly number[];
}

export async function benchLists(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-lists-'));
  const log = createLogger({ level: 'error', process: 'bench' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    await prepareDatabase(postgres.url);
    const { ctx, close } = createContextForBench(postgres.url, newToken(32));
    await createSeed(ctx);
    const newestAt = ctx.clock.now();
    const few = { ...workspaces.few, newestAt };
    const many = { ...workspaces.many, newestAt };
    for (const busy of [few, many]) await insertManyOrders(ctx.db, busy);
    const timings = await timeAll(ctx, few, many);
    await close();
    return judge(timings);
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const workspaces = {
  few: { workspaceId: 'wsp_demo_other', agentIds: ['agt_demo_other'], count: limits.few },
  many: {
    workspaceId: 'wsp_demo',
    agentIds: ['agt_demo', 'agt_demo_inactive'],
    count: limits.many,
  },
} as const;

async function timeAll(ctx: Context, few: BusyWorkspace, many: BusyWorkspace): Promise<Timing[]> {
  const timings: Timing[] = [];
  const ofFew = filterCombinations(few);
  for (const [index, ofMany] of filterCombinations(many).entries()) {
    const { name, ...fewPage } = ofFew[index] ?? ofMany;
    await expectIndex(ctx, many.workspaceId, ofMany);
    const timing = { name, fewMs: [] as number[], manyMs: [] as number[] };
    // In turn, so that a busy machine slows both.
    for (let sample = -limits.warmUps; sample < limits.samples; sample++) {
      const fewMs = await timePage(ctx, few.workspaceId, fewPage);
      const manyMs = await timePage(ctx, many.workspaceId, ofMany);
      if (sample < 0) continue;
      timing.fewMs.push(fewMs);
      timing.manyMs.push(manyMs);
    }
    timings.push(timing);
  }
  return timings;
}

type Filtered = Pick<Parameters<typeof findOrderPage>[1], 'filter' | 'after'>;

async function timePage(ctx: Context, workspaceId: string, { filter, after }: Filtered) {
  const startMs = ctx.clock.monotonicMs();
  await findOrderPage(ctx.db, { workspaceId, filter, after, limit: limits.pageRows });
  return ctx.clock.monotonicMs() - startMs;
}

async function expectIndex(ctx: Context, workspaceId: string, page: Filtered & { name: string }) {
  const { filter, after, name } = page;
  const wanted = { workspaceId, filter, after, limit: limits.pageRows };
  const plan = JSON.stringify(await ctx.db`explain ${orderPageSql(ctx.db, wanted)}`);
  if (plan.includes('Seq Scan on orders'))
    throw new Error(`"${name}" is not served by an index: ${plan}`);
}

function judge(timings: readonly Timing[]): BenchResult {
  const ratioOf = ({ fewMs, manyMs }: Timing) => median(fewMs) / median(manyMs);
  const worst = timings.toSorted((a, b) => ratioOf(a) - ratioOf(b))[0];
  if (!worst) throw new Error('Nothing was measured.');
  const sorted = worst.manyMs.toSorted((a, b) => a - b);
  return {
    name: `lists (${worst.name})`,
    floor: Math.round(1000 / median(worst.fewMs)),
    measured: Math.round(1000 / median(worst.manyMs)),
    ratio: Number(ratioOf(worst).toFixed(3)),
    p50_ms: Number(median(worst.manyMs).toFixed(2)),
    p99_ms: Number((sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN).toFixed(2)),
    rss_mb: Math.round(process.memoryUsage().rss / 1_048_576),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
