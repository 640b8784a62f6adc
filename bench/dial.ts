// Dials per second with every gate, hold and attempt, each placed at the sandbox network, against the queue's own rate
// of jobs that do nothing; the times are from the answer to an order to its call at the carrier, on an idle system.
import type { Context } from '../domain/context.ts';
import { acceptOrder } from '../domain/orders/accept-order.ts';
import { createSeed } from '../domain/workspaces/seed-demo.ts';
import { createContextForBench } from './bench-context.ts';
import type { BenchResult } from './bench-result.ts';
import { startDialSystem } from './dial/dial-system.ts';
import * as queries from './dial/dial-queries.ts';

const limits = { idleJobs: 6_000, dials: 1_500, rounds: 3, rings: 200, lookMs: 10 } as const;

/** The sandbox's busy line: it takes every call, and none of them lasts. */
const busy = '+12125550109';

export async function benchDial(): Promise<BenchResult> {
  const system = await startDialSystem();
  const { ctx, close } = createContextForBench(system.databaseUrl, system.appSecret);
  try {
    await createSeed(ctx);
    await queries.insertDialWorkspaces(ctx.db, limits.dials, ctx.clock.now());
    const { floor, measured } = await measureRates(ctx);
    const ringsMs = await measureRings(ctx);
    return {
      name: 'dial',
      floor: Math.round(floor),
      measured: Math.round(measured),
      ratio: Number((measured / floor).toFixed(3)),
      p50_ms: percentile(ringsMs, 0.5),
      p99_ms: percentile(ringsMs, 0.99),
      rss_mb: await system.jobsRssMb(),
    };
  } finally {
    await close();
    await system.stop();
  }
}

/** In turn, so that a busy machine slows both. */
async function measureRates(ctx: Context) {
  const { db, clock } = ctx;
  const floors: number[] = [];
  const dials: number[] = [];
  for (let round = 0; round <= limits.rounds; round++) {
    const floor = await perSecond(ctx, limits.idleJobs, {
      begin: () => queries.addIdleJobs(db, limits.idleJobs),
      isDone: async () => (await queries.countIdleJobs(db)) === 0,
    });
    await queries.insertDialOrders(db, limits.dials, busy, clock.now());
    const measured = await perSecond(ctx, limits.dials, {
      begin: () => queries.addPump(db),
      isDone: async () => (await queries.countPlaced(db)) === limits.dials,
    });
    await queries.emptyDials(db);
    console.error(`jobs ${Math.round(floor)}/s dials ${Math.round(measured)}/s`);
    // The first round warms up.
    if (round === 0) continue;
    floors.push(floor);
    dials.push(measured);
  }
  return { floor: percentile(floors, 0.5), measured: percentile(dials, 0.5) };
}

async function perSecond(
  { clock }: Context,
  count: number,
  work: { begin(): Promise<void>; isDone(): Promise<boolean> },
): Promise<number> {
  await work.begin();
  const begunMs = clock.monotonicMs();
  while (!(await work.isDone())) await clock.sleep(limits.lookMs);
  return (count * 1000) / (clock.monotonicMs() - begunMs);
}

/** One order at a time, each in a workspace of its own. */
async function measureRings(ctx: Context): Promise<number[]> {
  const ringsMs: number[] = [];
  for (let index = 1; index <= limits.rings; index++) {
    const key = { keyId: 'key_bench', workspaceId: `wsp_dial_${index}`, mode: 'live' } as const;
    const { accepted } = await acceptOrder(ctx, key, { order, idempotencyKey: null });
    const acceptedMs = ctx.clock.now().getTime();
    let placedAt: Date | null = null;
    while (!placedAt) {
      await ctx.clock.sleep(limits.lookMs);
      placedAt = await queries.findPlacedAt(ctx.db, accepted.order_id);
    }
    ringsMs.push(placedAt.getTime() - acceptedMs);
  }
  return ringsMs;
}

const order = {
  agent_id: 'agt_1',
  lead: { phone: busy, first_name: 'Dana' },
  consent: {
    opt_in_confirmed: true,
    consented_at: '2026-11-01T12:00:00Z',
    source: 'https://example.com/form',
  },
} as const;

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
