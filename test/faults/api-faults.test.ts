// A server that is killed, starved of files, or left without its database: no wrong answer, nothing lost.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../openapi/limits.ts';
import { claimDue } from '../../domain/orders/claim-due.ts';
import { dialOrder } from '../../domain/dialling/dial-order.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/db.ts';
import { startServer } from '../../server/start-server.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { startFaultyApi, type FaultyAnswer, type FaultyApi } from '../support/faulty-api.ts';
import { createTestContext } from '../support/test-context.ts';

let api: FaultyApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await startFaultyApi({ firstPort: 18_600 });
});
afterAll(() => api.stop());
beforeEach(async () => {
  workspace = await api.workspace();
});

const until = (read: () => Promise<unknown>, timeoutMs = 30_000) =>
  expect.poll(read, { timeout: timeoutMs, interval: 50 });

async function keptOrderIds(): Promise<Set<string>> {
  const rows = await api.ctx.db<{ id: string }[]>`
    select id from orders where workspace_id = ${workspace.id}`;
  return new Set(rows.map(({ id }) => id));
}

/** Orders without a pause from eight clients, each under its own key, until told to stop. */
function orderWithoutPause() {
  const answers: FaultyAnswer[] = [];
  let going = true;
  const client = async (name: number) => {
    for (let count = 0; going; count++)
      answers.push(await api.post(workspace, { idempotencyKey: `client-${name}-${count}` }));
  };
  const clients = Promise.all(Array.from({ length: 8 }, (_, name) => client(name)));
  return {
    answers,
    async stop() {
      going = false;
      await clients;
      return answers;
    },
  };
}

/** I11: what was answered 202 is kept; anything else is one of our own documented failures. */
async function expectOnlyHonestAnswers(answers: readonly FaultyAnswer[]) {
  const kept = await keptOrderIds();
  for (const { status, body } of answers) {
    if (status === 202) expect(kept).toContain(body.order_id);
    else
      expect([
        '500 internal_error',
        '503 wallet_unavailable',
        '503 suppression_unavailable',
      ]).toContain(`${status} ${body.error}`);
  }
}

const accepts = async () => (await api.post(workspace)).status;

/** Every connection of the server works again, also one that only its next use finds broken. */
async function isWhole(): Promise<boolean> {
  const answers = await Promise.all(Array.from({ length: 40 }, () => api.post(workspace)));
  return answers.every(({ status }) => status === 202);
}

describe('F53: the same Idempotency-Key fifty times at once', () => {
  it('makes one order and fifty equal answers', async () => {
    const asked = Array.from({ length: 50 }, () => api.post(workspace, { idempotencyKey: 'one' }));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map((given) => JSON.stringify(given))).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect(await keptOrderIds()).toEqual(new Set([answers[0]?.body.order_id]));
  });
});

describe('F54: the same Idempotency-Key with a live and a test key at once', () => {
  it('one kind wins, and the other is told of the conflict', async () => {
    const kinds = [workspace.liveKey, workspace.testKey];
    const asked = Array.from({ length: 50 }, async (_, n) => {
      const key = kinds[n % 2];
      return {
        key,
        ...(await api.post(workspace, { idempotencyKey: 'both', ...(key && { key }) })),
      };
    });
    const answers = await Promise.all(asked);
    const won = answers.filter(({ status }) => status === 202);
    const lost = answers.filter(({ status }) => status === 409);
    expect([won.length, lost.length]).toEqual([25, 25]);
    expect(new Set(won.map(({ key }) => key)).size).toBe(1);
    expect(new Set(lost.map(({ body }) => body.error))).toEqual(
      new Set(['idempotency_key_conflict']),
    );
    expect((await keptOrderIds()).size).toBe(1);
  });
});

describe('F02: the server is killed after it read the body and before it inserts', () => {
  it('there is no order, and the retry makes one', async () => {
    // Others open enough connections; then the server waits to hear about a key that is new to it.
    const others = await api.workspace();
    await Promise.all(Array.from({ length: 8 }, () => api.post(others)));
    const [before] = await api.ctx.db<{ now: Date }[]>`select now()`;
    api.proxy.holdReplies();
    const lost = api.post(workspace, { idempotencyKey: 'lead-1' });
    try {
      await until(async () => {
        const asked = await api.ctx.db`
          select 1 from pg_stat_activity where application_name = 'server'
            and query like '%lookup_prefix%' and query_start > ${before?.now ?? null}`;
        return asked.length;
      }, 5_000).toBeGreaterThan(0);
      api.killServer();
    } finally {
      api.proxy.release();
    }
    expect((await lost).status).toBe(0);
    expect(await keptOrderIds()).toEqual(new Set());
    await until(async () => (await api.post(workspace, { idempotencyKey: 'lead-1' })).status).toBe(
      202,
    );
    expect((await keptOrderIds()).size).toBe(1);
  });
});

describe('F13: Postgres is restarted under load', () => {
  it('every 202 is kept, every other answer says to come again, and the server lives on', async () => {
    const pid = api.serverPid();
    const load = orderWithoutPause();
    await until(async () => load.answers.length).toBeGreaterThan(20);
    await api.stopPostgres();
    await api.startPostgres();
    await until(accepts).toBe(202);
    await expectOnlyHonestAnswers(await load.stop());
    expect(api.serverPid()).toBe(pid);
  });
});

describe('F14: Postgres crashes under load', () => {
  it('every 202 is kept after its recovery; a read limit begins anew, once', async () => {
    for (let reads = 0; reads < limits.reads.perMinute; reads++)
      await api.get('/v1/me', workspace.liveKey);
    expect((await api.get('/v1/me', workspace.liveKey)).status).toBe(429);
    const load = orderWithoutPause();
    await until(async () => load.answers.length).toBeGreaterThan(20);
    await api.crashPostgres();
    await api.startPostgres();
    await until(accepts).toBe(202);
    await expectOnlyHonestAnswers(await load.stop());
    await until(isWhole).toBe(true);
    const reads = Array.from({ length: limits.reads.perMinute + 10 }, () =>
      api.get('/v1/me', workspace.liveKey),
    );
    const statuses = (await Promise.all(reads)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(limits.reads.perMinute);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });
});

describe('F15: Postgres is away for long', () => {
  it('the server says so, with stable codes, and works again soon after', async () => {
    const pid = api.serverPid();
    expect(await accepts()).toBe(202);
    await api.stopPostgres();
    try {
      await until(async () => (await api.get('/readyz', '')).status).toBe(503);
      for (let second = 0; second < 3; second++) {
        expect(await api.post(workspace)).toMatchObject({
          status: 503,
          body: { error: 'wallet_unavailable' },
        });
        for (const path of ['/v1/orders', '/v1/me', '/v1/agents'])
          expect(await api.get(path, workspace.liveKey)).toMatchObject({
            status: 503,
            body: { error: 'unavailable' },
          });
        // The key is looked up again once a second; both ways are wanted.
        await systemClock().sleep(1_000);
      }
    } finally {
      await api.startPostgres();
    }
    await until(isWhole, 20_000).toBe(true);
    await until(async () => (await api.get('/readyz', '')).status).toBe(200);
    expect(api.serverPid()).toBe(pid);
  });
});

describe('F21: others took every connection of Postgres', () => {
  it('the server answers 503, does not end, and recovers', async () => {
    const pid = api.serverPid();
    expect(await accepts()).toBe(202);
    const hogs = openDatabase({ url: api.directUrl(), poolSize: 220, application: 'hog' });
    const control = await hogs.reserve();
    const sleeping = Array.from({ length: 219 }, () => hogs`select pg_sleep(7)`.catch(() => null));
    await until(async () => {
      await control`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'server'`;
      return (await api.post(workspace)).status;
    }).toBe(503);
    control.release();
    await Promise.all(sleeping);
    await hogs.end({ timeout: 5 });
    await until(isWhole).toBe(true);
    expect(api.serverPid()).toBe(pid);
  });
});

describe('F61: the do-not-contact list cannot be read', () => {
  it('an order is refused with 503, and one that waits is not dialled and stays due', async () => {
    // Its carrier fails the test as soon as it is asked for a call.
    const system = await createTestContext({ clock: systemClock() });
    const { ctx } = system;
    const server = await startServer(ctx, { port: 0 });
    const local = await createWorkspace(ctx);
    const place = async () => {
      const response = await fetch(`http://127.0.0.1:${server.port}/v1/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${local.liveKey}` },
        body: JSON.stringify(orderBody(local)),
      });
      return { status: response.status, body: (await response.json()) as FaultyAnswer['body'] };
    };
    const placed = await place();
    expect(placed.status).toBe(202);
    await ctx.db`alter table do_not_contact rename to do_not_contact_away`;
    expect(await place()).toMatchObject({
      status: 503,
      body: { error: 'suppression_unavailable' },
    });
    expect((await claimDue(ctx)).tasks).toEqual([]);
    const ref = { workspaceId: local.id, orderId: placed.body.order_id ?? '' };
    await expect(dialOrder(ctx, ref)).rejects.toThrow('do_not_contact');
    expect(await ctx.db`select status, next_dial_at <= now() as due from orders`).toEqual([
      { status: 'QUEUED', due: true },
    ]);
    expect(await ctx.db`select 1 from attempts`).toHaveLength(0);
    await server.stop();
    await system.close();
  });
});

describe('F67: the server runs out of open files', () => {
  it('requests fail while it lasts, and pass again after', async () => {
    const starved = await startFaultyApi({ firstPort: 18_650, openFilesMax: 64 });
    const pid = starved.serverPid();
    const sockets: Socket[] = [];
    try {
      const local = await starved.workspace();
      expect((await starved.post(local)).status).toBe(202);
      for (let count = 0; count < 80; count++) {
        const socket = connect(starved.port, '127.0.0.1').on('error', () => undefined);
        await once(socket, 'connect');
        sockets.push(socket);
      }
      for (const socket of sockets) socket.destroy();
      await until(async () => (await starved.post(local)).status).toBe(202);
      expect(starved.serverPid()).toBe(pid);
    } finally {
      await starved.stop();
    }
  });
});
