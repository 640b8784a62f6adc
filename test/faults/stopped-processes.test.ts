// Real processes killed together, told to stop under load, stopped for a while, or cut off from Postgres.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimDue } from '../../domain/orders/claim-due.ts';
import { sandboxPeople } from '../../domain/workspaces/sandbox-people.ts';
import type { TestWorkspace } from '../support/factories.ts';
import { startLiveSystem, type LiveSystem } from '../support/live-system.ts';
import { expectAllOver } from '../support/order-audit.ts';
import { openReceiver } from '../support/receiver.ts';
import { runTask } from '../support/run-task.ts';

let live: LiveSystem;

beforeAll(async () => {
  live = await startLiveSystem({ firstPort: 18_400, environment: { SIMULATION_SPEED: '20' } });
});
afterAll(() => live.stop());
afterEach(() => live.proxy.release());

const until = (read: () => Promise<unknown>, timeoutMs = 60_000) =>
  expect.poll(read, { timeout: timeoutMs, interval: 100 });

/** Orders of a test key play without a carrier: many at once, each over in a few seconds. */
async function simulate(workspace: TestWorkspace, count: number, webhookUrl: string) {
  const testing = { ...workspace, liveKey: workspace.testKey };
  const placed = Array.from({ length: count }, (_, index) =>
    live.order(testing, `+1212555000${1 + (index % 3)}`, {
      webhook_url: webhookUrl,
      cadence: { max_attempts: 1 },
    }),
  );
  return Promise.all(placed);
}

const openOrders = async (workspace: TestWorkspace) =>
  (
    await live.ctx.db`
      select 1 from orders where workspace_id = ${workspace.id} and completed_at is null`
  ).length;

const undelivered = async (workspace: TestWorkspace) =>
  (
    await live.ctx.db`
      select 1 from deliveries where workspace_id = ${workspace.id} and state <> 'delivered'`
  ).length;

/** One event for each order; what came twice came under the same id. */
function expectOneEventEach(
  receiver: Awaited<ReturnType<typeof openReceiver>>,
  orders: readonly { id: string }[],
) {
  const ids = receiver.received.map(({ headers }) => String(headers['x-service-delivery']));
  expect(new Set(ids).size).toBe(orders.length);
  expect(new Set(receiver.received.map(({ event }) => event.order_id)).size).toBe(orders.length);
}

async function gone(pid: number | undefined) {
  try {
    process.kill(pid ?? 0, 0);
    return false;
  } catch {
    return true;
  }
}

describe('F08: all processes are killed at once', () => {
  it('they come back, every order ends, and no phone rings twice', async () => {
    const workspace = await live.workspace();
    const people = [sandboxPeople.busy, sandboxPeople.no_answer];
    const before = await Promise.all(people.map((phone) => live.ringsOf(phone)));
    const orders = await Promise.all(
      people.map((phone) => live.order(workspace, phone, { cadence: { max_attempts: 1 } })),
    );
    const rings = async () =>
      (await Promise.all(people.map((phone) => live.ringsOf(phone)))).map(
        (count, index) => count - (before[index] ?? 0),
      );
    // A busy line does not ring.
    await until(rings).toEqual([0, 1]);
    for (const part of ['server', 'jobs', 'voice-gateway']) live.kill(part);
    await until(async () => {
      await live.passTime(70);
      return openOrders(workspace);
    }).toBe(0);
    expect(await rings()).toEqual([0, 1]);
    for (const { id } of orders)
      expect(await live.read(workspace, id)).toMatchObject({ reason: 'no_answer' });
    await expectAllOver(live.ctx, workspace.id);
  });
});

describe('F09: the jobs are told to stop under load', () => {
  it('they end in time, and every event comes', async () => {
    const workspace = await live.workspace();
    const receiver = await openReceiver();
    const orders = await simulate(workspace, 60, receiver.url);
    await receiver.count(5);
    const pid = live.signal('jobs', 'SIGTERM');
    await until(() => gone(pid), 30_000).toBe(true);
    await until(async () => {
      await live.passTime(5);
      return (await openOrders(workspace)) + (await undelivered(workspace));
    }).toBe(0);
    expectOneEventEach(receiver, orders);
    await receiver.close();
  });
});

describe('F10: the jobs are told to stop while a receiver hangs', () => {
  it('they end in time, and the event comes later under the same id', async () => {
    const workspace = await live.workspace();
    const ids: string[] = [];
    const server = createServer((request, response) => {
      ids.push(String(request.headers['x-service-delivery']));
      request.resume();
      // The first request is never answered.
      if (ids.length > 1) response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await simulate(workspace, 1, `http://127.0.0.1:${port}/hook`);
    await until(async () => ids.length).toBe(1);
    const pid = live.signal('jobs', 'SIGTERM');
    await until(() => gone(pid), 30_000).toBe(true);
    await until(async () => {
      await live.passTime(70);
      return undelivered(workspace);
    }).toBe(0);
    expect(new Set(ids).size).toBe(1);
    server.closeAllConnections();
    server.close();
  });
});

describe('F11: the jobs stand still past their lease, and another worker takes over', () => {
  it('what they write when they wake changes nothing', async () => {
    const workspace = await live.workspace();
    const receiver = await openReceiver((count) => {
      if (count === 1) live.signal('jobs', 'SIGSTOP');
      return 204;
    });
    await simulate(workspace, 1, receiver.url);
    await receiver.count(1);
    await live.passTime(70, { hint: false });
    for (const task of (await claimDue(live.ctx)).tasks) await runTask(live.ctx, task);
    expect(receiver.received).toHaveLength(2);
    live.signal('jobs', 'SIGCONT');
    const attempts = () => live.ctx.db`
      select d.state, d.attempts, count(a.*)::int as told from deliveries d
      left join delivery_attempts a on a.workspace_id = d.workspace_id and a.delivery_id = d.id
      where d.workspace_id = ${workspace.id} group by 1, 2`;
    expect(await attempts()).toMatchObject([{ state: 'delivered', attempts: 1, told: 1 }]);
    // Once the jobs have done something else, their stale write has come and gone.
    await simulate(workspace, 1, receiver.url);
    await receiver.count(3);
    await until(() => undelivered(workspace)).toBe(0);
    const [first, second] = receiver.received;
    expect(second?.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery']);
    expect(second?.body).toBe(first?.body);
    expect(await attempts()).toMatchObject([{ state: 'delivered', attempts: 1, told: 2 }]);
    await receiver.close();
  });
});

describe('F16: connections to Postgres are ended at random', () => {
  it('no half moves: every order ends once and the books are whole', async () => {
    const workspace = await live.workspace();
    const receiver = await openReceiver();
    const orders = await simulate(workspace, 30, receiver.url);
    const busy = await live.order(workspace, sandboxPeople.busy, {
      cadence: { max_attempts: 1 },
      webhook_url: receiver.url,
    });
    for (let strike = 0; strike < 30; strike++) {
      await live.ctx.db`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and application_name in ('server', 'jobs', 'voice-gateway', 'jobs-queue')
        order by random() limit 1`;
      await live.ctx.clock.sleep(100);
    }
    await until(async () => {
      await live.passTime(70);
      return (await openOrders(workspace)) + (await undelivered(workspace));
    }, 90_000).toBe(0);
    expectOneEventEach(receiver, [...orders, busy]);
    await expectAllOver(live.ctx, workspace.id);
    await receiver.close();
  });
});

describe('F19: connections to Postgres go dead without a word', () => {
  it('the system works again soon', async () => {
    const workspace = await live.workspace();
    const receiver = await openReceiver();
    live.proxy.freeze();
    const order = () => simulate(workspace, 1, receiver.url).catch(() => []);
    await until(async () => (await order()).some(({ status }) => status === 202), 60_000).toBe(
      true,
    );
    await until(async () => {
      await live.passTime(70);
      return openOrders(workspace);
    }, 90_000).toBe(0);
    await receiver.close();
  });
});
