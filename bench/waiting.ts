// Intake, and claim and dial of a due order, where a million orders wait for tomorrow against ten thousand; the figure
// is that of the one that loses more.
import { prepareDatabase } from '../compose/prepare-database.ts';
import type { Context } from '../domain/context.ts';
import { acceptOrder } from '../domain/orders/accept-order.ts';
import { claimDue } from '../domain/orders/claim-due.ts';
import { dialOrder } from '../domain/dialling/dial-order.ts';
import { createSeed } from '../domain/workspaces/seed-demo.ts';
import { newToken } from '../platform/ids.ts';
import { createNotebookCarrier } from '../test/support/notebook-carrier.ts';
import { createContextForBench } from './bench-context.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import type { BenchResult } from './bench-result.ts';
import * as queries from './dial/dial-queries.ts';

const limits = {
  few: 10_000,
  many: 1_000_000,
  workspaces: 1_000,
  warmUps: 50,
  samples: 400,
} as const;

const steps = ['intake', 'claim and dial'] as const;
type Step = (typeof steps)[number];
type Timings = Record<Step, number[]>;

export async function benchWaiting(): Promise<BenchResult> {
  const postgres = await startBenchPostgres('waiting');
  try {
    const few = await openWith(postgres.url, 'few', limits.few);
    const many = await openWith(postgres.url, 'many', limits.many);
    const timings = { few: emptyTimings(), many: emptyTimings() };
    // In turn, so that a busy machine slows both.
    for (let sample = -limits.warmUps; sample < limits.samples; sample++) {
      await timeOne(few.ctx, sample, timings.few);
      await timeOne(many.ctx, sample, timings.many);
    }
    await few.close();
    await many.close();
    return judge(timings.few, timings.many);
  } finally {
    await postgres.stop();
  }
}

/** A database of its own, in which so many orders wait. */
async function openWith(url: string, name: 'few' | 'many', count: number) {
  const admin = createContextForBench(url, newToken(32));
  await queries.createDatabase(admin.ctx.db, name);
  await admin.close();
  const own = new URL(url);
  own.pathname = name;
  await prepareDatabase(own.href);
  const { ctx, close } = createContextForBench(own.href, newToken(32));
  await createSeed(ctx);
  const now = ctx.clock.now();
  const dueAt = new Date(now.getTime() + 24 * 3_600_000);
  const { workspaces } = limits;
  await queries.insertDialWorkspaces(ctx.db, workspaces, now);
  await queries.insertWaitingOrders(ctx.db, { count, workspaces, dueAt, now });
  const { carrier } = createNotebookCarrier();
  return { ctx: { ...ctx, carrier, wakeJobs: () => undefined }, close };
}

/** Every sample has a workspace of its own, whose first call it is. */
async function timeOne(ctx: Context, sample: number, timings: Timings) {
  const workspaceId = `wsp_dial_${sample + limits.warmUps + 1}`;
  const key = { keyId: 'key_bench', workspaceId, mode: 'live' } as const;
  const startMs = ctx.clock.monotonicMs();
  await acceptOrder(ctx, key, { order, idempotencyKey: null });
  const acceptedMs = ctx.clock.monotonicMs();
  const { tasks } = await claimDue(ctx);
  const dials = tasks.filter((task) => task.task === 'dial_order');
  for (const task of dials) await dialOrder(ctx, task);
  const dialledMs = ctx.clock.monotonicMs();
  if (dials.length !== 1) throw new Error(`One order was due, and ${dials.length} were claimed.`);
  if (sample < 0) return;
  timings.intake.push(acceptedMs - startMs);
  timings['claim and dial'].push(dialledMs - acceptedMs);
}

const order = {
  agent_id: 'agt_1',
  lead: { phone: '+12125550101', first_name: 'Dana' },
  consent: {
    opt_in_confirmed: true,
    consented_at: '2026-11-01T12:00:00Z',
    source: 'https://example.com/form',
  },
} as const;

function emptyTimings(): Timings {
  return { intake: [], 'claim and dial': [] };
}

function judge(few: Timings, many: Timings): BenchResult {
  const ratioOf = (step: Step) => percentile(few[step], 0.5) / percentile(many[step], 0.5);
  for (const step of steps) console.error(`${step}: ratio ${ratioOf(step).toFixed(3)}`);
  const worst = ratioOf('intake') < ratioOf('claim and dial') ? 'intake' : 'claim and dial';
  return {
    name: `waiting (${worst})`,
    floor: Math.round(1000 / percentile(few[worst], 0.5)),
    measured: Math.round(1000 / percentile(many[worst], 0.5)),
    ratio: Number(ratioOf(worst).toFixed(3)),
    p50_ms: Number(percentile(many[worst], 0.5).toFixed(2)),
    p99_ms: Number(percentile(many[worst], 0.99).toFixed(2)),
    rss_mb: Math.round(process.memoryUsage().rss / 1_048_576),
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
