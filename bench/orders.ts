// POST /v1/orders with every check on, against a bare Fastify route that inserts the same row.
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
import { createContextForBench } from './bench-context.ts';
import { emptyOrders } from './bench-queries.ts';
import type { BenchResult } from './bench-result.ts';

const limits = { connections: 32, warmUpSeconds: 2, roundSeconds: 6, rounds: 3 } as const;

export async function benchOrders(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-orders-'));
  const log = createLogger({ level: 'error', process: 'bench' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    await prepareDatabase(postgres.url);
    const appSecret = newToken(32);
    const { ctx, close } = createContextForBench(postgres.url, appSecret);
    const seed = await createSeed(ctx);
    const sides = {
      floor: await startSide('floor', postgres.url, appSecret),
      measured: await startSide('measured', postgres.url, appSecret),
    };
    const load = (side: keyof typeof sides, seconds: number) =>
      fire(sides[side].port, seed, seconds);
    const rounds: Record<keyof typeof sides, autocannon.Result[]> = { floor: [], measured: [] };
    for (let round = 0; round < limits.rounds; round++)
      for (const side of ['floor', 'measured'] as const) {
        if (round === 0) await load(side, limits.warmUpSeconds);
        rounds[side].push(await load(side, limits.roundSeconds));
        await emptyOrders(ctx.db);
      }
    const rssMb = await sides.measured.rssMb();
    for (const side of Object.values(sides)) side.stop();
    await close();
    const floor = median(rounds.floor.map(perSecond));
    const measured = median(rounds.measured.map(perSecond));
    return {
      name: 'orders',
      floor: Math.round(floor),
      measured: Math.round(measured),
      ratio: Number((measured / floor).toFixed(3)),
      p50_ms: median(rounds.measured.map(({ latency }) => latency.p50)),
      p99_ms: median(rounds.measured.map(({ latency }) => latency.p99)),
      rss_mb: rssMb,
    };
  } finally {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function fire(port: number, seed: { agent_id: string; live_key: string }, seconds: number) {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/v1/orders`,
    method: 'POST',
    connections: limits.connections,
    duration: seconds,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${seed.live_key}` },
    body: JSON.stringify({
      agent_id: seed.agent_id,
      lead: { phone: '+12125550101', first_name: 'Dana' },
      consent: {
        opt_in_confirmed: true,
        consented_at: '2026-11-01T12:00:00Z',
        source: 'https://example.com/form',
      },
    }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${result.non2xx} refusals and ${result.errors} errors make the figure worthless.`,
    );
  return result;
}

async function startSide(side: 'floor' | 'measured', databaseUrl: string, appSecret: string) {
  const file = fileURLToPath(new URL('orders-server.ts', import.meta.url));
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

/** Steady seconds only: the last one is cut short. */
function perSecond(result: autocannon.Result): number {
  return result.requests.total / result.duration;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
