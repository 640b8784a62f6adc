// GET of one order and of a list of 50, with key, read limit and every field, against bare Fastify routes with
// one SELECT; the figure is that of the read that loses more.
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { prepareDatabase } from '../compose/prepare-database.ts';
import { createSeed } from '../domain/workspaces/seed-demo.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { newToken } from '../platform/ids.ts';
import { createLogger } from '../platform/log.ts';
import { insertManyOrders } from '../test/support/many-orders.ts';
import { createContextForBench } from './bench-context.ts';
import { openReadWindow } from './bench-queries.ts';
import type { BenchResult } from './bench-result.ts';

const limits = {
  connections: 32,
  warmUpSeconds: 2,
  roundSeconds: 5,
  rounds: 3,
  orders: 1_000,
} as const;

const paths = { 'one order': '/v1/orders/ord_000000042', 'list of 50': '/v1/orders' } as const;

type Side = 'floor' | 'measured';

export async function benchReads(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-reads-'));
  const log = createLogger({ level: 'error', process: 'bench' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    await prepareDatabase(postgres.url);
    const appSecret = newToken(32);
    const { ctx, close } = createContextForBench(postgres.url, appSecret);
    const seed = await createSeed(ctx);
    await insertManyOrders(ctx.db, {
      workspaceId: seed.workspace_id,
      agentIds: [seed.agent_id],
      count: limits.orders,
      newestAt: ctx.clock.now(),
    });
    const sides = {
      floor: await startSide('floor', postgres.url, appSecret),
      measured: await startSide('measured', postgres.url, appSecret),
    };
    const load = async (side: Side, path: string, seconds: number) => {
      await openReadWindow(ctx.db, ctx.clock.now());
      return fire(`http://127.0.0.1:${sides[side].port}${path}`, seed.live_key, seconds);
    };
    const results: BenchResult[] = [];
    for (const [name, path] of Object.entries(paths)) {
      const rounds = await alternate((side, seconds) => load(side, path, seconds));
      results.push(compare(`reads (${name})`, rounds, await sides.measured.rssMb()));
    }
    for (const side of Object.values(sides)) side.stop();
    await close();
    const worst = results.toSorted((a, b) => a.ratio - b.ratio)[0];
    if (!worst) throw new Error('Nothing was measured.');
    return worst;
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Rounds = Record<Side, autocannon.Result[]>;

/** In turn, so that a busy machine slows both. */
async function alternate(
  load: (side: Side, seconds: number) => Promise<autocannon.Result>,
): Promise<Rounds> {
  const rounds: Rounds = { floor: [], measured: [] };
  for (let round = 0; round < limits.rounds; round++)
    for (const side of ['floor', 'measured'] as const) {
      if (round === 0) await load(side, limits.warmUpSeconds);
      rounds[side].push(await load(side, limits.roundSeconds));
    }
  return rounds;
}

async function fire(url: string, key: string, seconds: number) {
  const result = await autocannon({
    url,
    connections: limits.connections,
    duration: seconds,
    headers: { authorization: `Bearer ${key}` },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${result.non2xx} refusals and ${result.errors} errors make the figure worthless.`,
    );
  return result;
}

function compare(name: string, rounds: Rounds, rssMb: number): BenchResult {
  const perSecond = (side: Side) =>
    median(rounds[side].map(({ requests, duration }) => requests.total / duration));
  const [floor, measured] = [perSecond('floor'), perSecond('measured')];
  return {
    name,
    floor: Math.round(floor),
    measured: Math.round(measured),
    ratio: Number((measured / floor).toFixed(3)),
    p50_ms: median(rounds.measured.map(({ latency }) => latency.p50)),
    p99_ms: median(rounds.measured.map(({ latency }) => latency.p99)),
    rss_mb: rssMb,
  };
}

async function startSide(side: Side, databaseUrl: string, appSecret: string) {
  const file = fileURLToPath(new URL('reads-server.ts', import.meta.url));
  const child = fork(file, [JSON.stringify({ side, databaseUrl, appSecret })]);
  const answer = <T>() =>
    new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)));
  const { port } = await answer<{ port: number }>();
  return {
    port,
    async rssMb() {
      child.send('memory');
      return (await answer<{ rssMb: number }>()).rssMb;
    },
    stop: () => child.kill(),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
