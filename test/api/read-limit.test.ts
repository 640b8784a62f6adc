// 120 reads a minute for a workspace, over all its keys, reads and server processes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { startServer } from '../../server/start-server.ts';
import { assertConforms } from '../support/conformance.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

/** Runs on, and can be put forward. */
let aheadMs = 0;
const clock: Clock = {
  ...systemClock(),
  now: () => new Date(systemClock().now().getTime() + aheadMs),
};

let system: TestContext;
let servers: Awaited<ReturnType<typeof startServer>>[];
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock });
  // Two contexts share nothing but the database, like two processes.
  servers = [
    await startServer(system.ctx, { port: 0 }),
    await startServer({ ...system.ctx }, { port: 0 }),
  ];
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await system.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
});

async function get(path: string, { server = 0, key = workspace.liveKey } = {}) {
  const response = await fetch(`http://127.0.0.1:${servers[server]?.port}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const body = await response.text();
  const { status, headers } = response;
  assertConforms({ method: 'GET', path, status, headers: Object.fromEntries(headers), body });
  return { status, headers, body: JSON.parse(body) as { error?: string } };
}

/** As a workspace stands after so many reads. */
const afterReads = (used: number) => system.ctx.db`
  insert into rate_windows values (${`reads:${workspace.id}`}, ${clock.now()},
    ${clock.now()}::timestamptz + interval '60 seconds', ${used})`;

describe('429 rate_limited', () => {
  it('exactly 120 of 150 pass, over both keys, every read and two servers', async () => {
    const paths = ['/v1/orders', '/v1/me', '/v1/agents', '/v1/orders/ord_none'];
    const asked = Array.from({ length: 150 }, (_, n) =>
      get(paths[n % paths.length] ?? '', {
        server: n % 2,
        key: n % 3 ? workspace.liveKey : workspace.testKey,
      }),
    );
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    for (const { body, headers } of refused) {
      expect(body.error).toBe('rate_limited');
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(50);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
  });

  it.each(['/v1/orders', '/v1/me', '/v1/agents', '/v1/orders/ord_none'])(
    'holds for %s, and ends when Retry-After says',
    async (path) => {
      await afterReads(120);
      const { status, headers } = await get(path);
      expect(status).toBe(429);
      aheadMs += Number(headers.get('retry-after')) * 1000;
      expect((await get(path)).status).not.toBe(429);
    },
  );

  it('counts a read whose query is wrong, and refuses it before looking at it', async () => {
    await afterReads(119);
    expect((await get('/v1/orders?limit=0')).status).toBe(400);
    expect((await get('/v1/orders?limit=0')).status).toBe(429);
  });

  it('does not touch another workspace, orders, or a wrong key', async () => {
    await afterReads(120);
    const other = await createWorkspace(system.ctx);
    expect((await get('/v1/me', { key: other.liveKey })).status).toBe(200);
    expect((await get('/v1/me', { key: 'nonsense' })).status).toBe(401);
    const posted = await fetch(`http://127.0.0.1:${servers[0]?.port}/v1/orders`, {
      method: 'POST',
      body: '{}',
    });
    expect(posted.status).toBe(400);
  });

  it('does not count recordings', async () => {
    await afterReads(120);
    const response = await fetch(
      `http://127.0.0.1:${servers[0]?.port}/v1/recordings/ord_none/link`,
      { headers: { authorization: `Bearer ${workspace.liveKey}` } },
    );
    expect(response.status).toBe(404);
  });
});
