// The SDK as an integrator has it, against the real server.
import { buffer } from 'node:stream/consumers';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { ApiError, type Client, createClient, type OrderInput } from '../../sdk/src/index.ts';
import { operations } from '../../sdk/src/generated/api.ts';
import { startServer } from '../../server/start-server.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { createOrderRow, recordAttempt } from '../support/recorded-order.ts';
import { createTriggerUrl } from '../support/trigger-url.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
let workspace: TestWorkspace;
let client: Client;

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock() });
  server = await startServer(system.ctx, { port: 0 });
});
afterAll(async () => {
  await server.stop();
  await system.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
  client = connect();
});

function connect(options: { apiKey?: string; timeoutMs?: number } = {}): Client {
  return createClient({
    apiKey: workspace.testKey,
    baseUrl: `http://127.0.0.1:${server.port}`,
    retryDelayMs: 1,
    ...options,
  });
}

const order = (change: object = {}) => orderBody(workspace, { ...change }) as unknown as OrderInput;

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

it('has a method for every operation', () => {
  const source = readFileSync(new URL('../../sdk/src/client.ts', import.meta.url), 'utf8');
  const missing = Object.keys(operations).filter(
    (id) => !source.includes(`'${id}'`) && !source.includes(`operations.${id}`),
  );
  expect(missing).toEqual([]);
});

describe('orders', () => {
  it('are placed and read', async () => {
    const { order_id: id, status } = await client.orders.create(order());
    expect(status).toBe('QUEUED');
    expect(await client.orders.get(id)).toMatchObject({ order_id: id, test: true, final: false });
  });

  it('are listed over pages, newest first, each once', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1)
      ids.push((await client.orders.create(order())).order_id);
    const pages: number[] = [];
    const listed = await collect(
      client.orders.list({ limit: 2 }, { onResponse: ({ status }) => pages.push(status) }),
    );
    expect(listed.map((item) => item.order_id)).toEqual(ids.toReversed());
    expect(pages).toEqual([200, 200, 200]);
  });

  it('are fetched no further than the loop goes', async () => {
    for (let count = 0; count < 3; count += 1) await client.orders.create(order());
    let pages = 0;
    for await (const _item of client.orders.list({ limit: 1 }, { onResponse: () => (pages += 1) }))
      break;
    expect(pages).toBe(1);
  });

  it('are filtered by status, agent and time', async () => {
    const { order_id: id } = await client.orders.create(order());
    const ids = async (query: Parameters<Client['orders']['list']>[0]) =>
      (await collect(client.orders.list(query))).map((item) => item.order_id);
    expect(await ids({ status: ['QUEUED', 'FAILED'], agent_id: workspace.agentId })).toEqual([id]);
    expect(await ids({ status: 'BOOKED' })).toEqual([]);
    expect(await ids({ since: new Date(Date.now() - 60_000) })).toEqual([id]);
    expect(await ids({ since: new Date(Date.now() + 60_000).toISOString() })).toEqual([]);
  });

  it('come as one page with its cursor', async () => {
    await client.orders.create(order());
    await client.orders.create(order());
    const first = await client.orders.listPage({ limit: 1 });
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) as unknown });
    const cursor = first.next_cursor ?? '';
    expect(await client.orders.listPage({ limit: 1, cursor })).toMatchObject({
      has_more: false,
      next_cursor: null,
    });
  });
});

it('posts a lead to a trigger URL without showing the key', async () => {
  const { token } = await createTriggerUrl(system.ctx, workspace);
  const lead = { phone: '+12125550101', first_name: 'Ann', is_test: true };
  const first = await client.leads.post(token, lead);
  expect(first).toMatchObject({ status: 'QUEUED', duplicate: false, test: true });
  const again = await client.leads.post(token, lead);
  expect(again).toMatchObject({ order_id: first.order_id, duplicate: true });
  await expect(
    client.leads.post(token, { phone: '+12125550102' }, { test: true }),
  ).rejects.toMatchObject({ code: 'test_number_not_verified' });
});

it('tells whose key it is, and which agents it may order', async () => {
  expect(await client.me()).toMatchObject({ workspace: { id: workspace.id } });
  const { agents } = await client.agents.list();
  expect(agents.map((agent) => agent.agent_id)).toEqual([workspace.agentId]);
});

describe('recordings', () => {
  const audio = Buffer.alloc(300_000, 'tone');

  async function record(): Promise<string> {
    const orderId = await createOrderRow(system.ctx, workspace);
    await recordAttempt(system.ctx, workspace, { orderId, audio });
    return orderId;
  }

  it('come as a stream', async () => {
    const { stream, sizeBytes, contentType } = await client.recordings.download(await record());
    expect({ sizeBytes, contentType }).toEqual({
      sizeBytes: audio.length,
      contentType: 'audio/mpeg',
    });
    expect((await buffer(stream)).equals(audio)).toBe(true);
  });

  it('come in part', async () => {
    const range = 'bytes=10-19';
    const { stream, sizeBytes } = await client.recordings.download(await record(), { range });
    expect(sizeBytes).toBe(10);
    expect((await buffer(stream)).equals(audio.subarray(10, 20))).toBe(true);
  });

  it('are linked', async () => {
    const { url, expires_at: expiresAt } = await client.recordings.link(await record());
    expect(url).toContain('.mp3?t=');
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  });

  it('end when they are aborted on the way', async () => {
    const stop = new AbortController();
    const { stream } = await client.recordings.download(await record(), { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(buffer(stream)).rejects.toThrow('enough');
  });

  it('that are not there are an ApiError', async () => {
    const orderId = await createOrderRow(system.ctx, workspace);
    await expect(client.recordings.download(orderId)).rejects.toMatchObject({
      name: 'ApiError',
      code: 'not_found',
      status: 404,
      requestId: expect.stringMatching(/^req_/) as unknown,
    });
  });
});

it('shows every answer as it came, refusals too', async () => {
  const seen: { status: number; text: string | null; requestId: string | undefined }[] = [];
  const error = await client.orders
    .get('ord_unknown', { onResponse: (response) => void seen.push(response) })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(seen).toMatchObject([
    { status: 404, text: expect.stringContaining('not_found') as unknown },
  ]);
  expect(seen[0]?.requestId).toMatch(/^req_/);
});
