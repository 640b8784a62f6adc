// Whatever happens between the SDK and the server, one call of orders.create makes one order.
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { newToken } from '../../platform/ids.ts';
import { ConnectionError, createClient, type OrderInput } from '../../sdk/src/index.ts';
import { startServer } from '../../server/start-server.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { openFaultProxy, proxyFaults } from '../support/fault-proxy.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
let proxy: Awaited<ReturnType<typeof openFaultProxy>>;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock() });
  server = await startServer(system.ctx, { port: 0 });
  proxy = await openFaultProxy(`http://127.0.0.1:${server.port}`);
  workspace = await createWorkspace(system.ctx);
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
  await system.close();
});

async function ordersOf(reference: string) {
  const rows = await system.ctx.db<{ id: string }[]>`
    select id from orders where workspace_id = ${workspace.id}
      and external_reference_id = ${reference}`;
  return rows.map(({ id }) => id);
}

function order(reference: string): OrderInput {
  return { ...orderBody(workspace), external_reference_id: reference } as OrderInput;
}

const faults = fc.array(fc.constantFrom(...proxyFaults), { maxLength: 5 });

it('under any sequence of 500, 503, resets and time-outs the server holds exactly one order', async () => {
  await fc.assert(
    fc.asyncProperty(faults, async (plan) => {
      const reference = newToken(12);
      proxy.setPlan(plan);
      const client = createClient({
        apiKey: workspace.liveKey,
        baseUrl: proxy.url,
        maxRetries: plan.length,
        retryDelayMs: 1,
        timeoutMs: plan.some((fault) => fault.endsWith('time out')) ? 400 : 10_000,
      });
      const { order_id: orderId } = await client.orders.create(order(reference));
      expect(await ordersOf(reference)).toEqual([orderId]);
    }),
    { numRuns: 40 },
  );
});

it('a call that gives up leaves at most one order, and its key brings that one back', async () => {
  const reference = newToken(12);
  const options = { idempotencyKey: reference };
  proxy.setPlan(['forward, then reset', 'forward, then answer 500', 'reset']);
  const client = createClient({
    apiKey: workspace.liveKey,
    baseUrl: proxy.url,
    maxRetries: 2,
    retryDelayMs: 1,
  });
  await expect(client.orders.create(order(reference), options)).rejects.toBeInstanceOf(
    ConnectionError,
  );
  const [kept, ...others] = await ordersOf(reference);
  expect(others).toEqual([]);
  await expect(client.orders.create(order(reference), options)).resolves.toMatchObject({
    order_id: kept,
  });
});

it('what can never pass is sent once', async () => {
  proxy.setPlan([]);
  const client = createClient({ apiKey: workspace.liveKey, baseUrl: proxy.url, retryDelayMs: 1 });
  const refused = client.orders.create({ ...order('x'), agent_id: 'agt_unknown' });
  await expect(refused).rejects.toMatchObject({ code: 'agent_not_found' });
  expect(proxy.forwarded()).toBe(1);
});
