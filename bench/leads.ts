// Leads at trigger URLs, each one new, with every check on, against a bare Fastify route that inserts the order's row.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { emptyOrders, insertTriggerUrls } from './bench-queries.ts';
import type { BenchResult } from './bench-result.ts';

const limits = {
  connections: 32,
  warmUpSeconds: 2,
  roundSeconds: 6,
  rounds: 3,
  /** So many that no URL meets its limit of leads. */
  triggerUrls: 4_000,
} as const;

export async function benchLeads(): Promise<BenchResult> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-leads-'));
  const log = createLogger({ level: 'error', process: 'bench' });
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    await prepareDatabase(postgres.url);
    const appSecret = newToken(32);
    const { ctx, close } = createContextForBench(postgres.url, appSecret);
    await createSeed(ctx);
    const tokens = Array.from({ length: limits.triggerUrls }, (_, index) => `token-${index}`);
    const hashes = tokens.map((token) => createHash('sha256').update(token).digest());
    await insertTriggerUrls(ctx.db, hashes, ctx.clock.now());
    const sides = {
      floor: await startSide('floor', postgres.url, appSecret),
      measured: await startSide('measured', postgres.url, appSecret),
    };
    const load = (side: keyof typeof sides, seconds: number) =>
      fire(sides[side].port, tokens, seconds);
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
      name: 'leads',
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

/** Over all rounds, so that no lead comes twice. */
let sent = 0;

async function fire(port: number, tokens: readonly string[], seconds: number) {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: limits.connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest(request) {
          sent++;
          const body = JSON.stringify({ phone: '+12125550101', first_name: 'Dana', lead: sent });
          return { ...request, path: `/v1/hooks/lead/${tokens[sent % tokens.length]}`, body };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(
      `${result.non2xx} refusals and ${result.errors} errors make the figure worthless.`,
    );
  return result;
}

async function startSide(side: 'floor' | 'measured', databaseUrl: string, appSecret: string) {
  const file = fileURLToPath(new URL('leads-server.ts', import.meta.url));
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
