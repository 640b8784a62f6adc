// The examples of the SDK do what they say, against the real server.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createReceiver as createExpressReceiver } from '../../sdk/examples/express-receiver.ts';
import { createReceiver as createFastifyReceiver } from '../../sdk/examples/fastify-receiver.ts';
import { placeAndWait } from '../../sdk/examples/place-order-and-wait.ts';
import { readRows, syncLeads, type SyncResult } from '../../sdk/examples/sync-leads-from-csv.ts';
import { createClient, type OrderInput, signForTest } from '../../sdk/src/index.ts';
import { startServer } from '../../server/start-server.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
let workspace: TestWorkspace;

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock(), settings: { simulationSpeed: 1_000 } });
  server = await startServer(system.ctx, { port: 0 });
});
afterAll(async () => {
  await server.stop();
  await system.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
});

function connect() {
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return createClient({ apiKey: workspace.testKey, baseUrl, retryDelayMs: 1 });
}

it('placing an order and waiting ends with its outcome', async () => {
  const working = new AbortController();
  const jobs = (async () => {
    while (!working.signal.aborted) await system.drain();
  })();
  const order = orderBody(workspace, { lead: { phone: '+12125550003' } }) as unknown as OrderInput;
  try {
    expect(await placeAndWait(connect(), order, { pollMs: 20 })).toMatchObject({
      status: 'DISQUALIFIED',
      final: true,
    });
  } finally {
    working.abort();
    await jobs;
  }
});

describe('syncing leads from a CSV', () => {
  const csv = [
    'id,phone,first_name,context,consented_at,source',
    '1,+12125550101,Dana,"Asked for a quote, twice",2026-11-01T12:00:00Z,https://example.com/form',
    '2,+442071838750,Lee,,2026-11-01T12:00:00Z,form',
    '3,+12125550102,"Al ""Ace"" Roe",,2026-11-01T12:00:00Z,form\r\n',
  ].join('\n');

  async function sync(): Promise<SyncResult[]> {
    const results: SyncResult[] = [];
    for await (const result of syncLeads(connect(), workspace.agentId, csv)) results.push(result);
    return results;
  }

  it('orders each row once, however often it runs, and goes on past a refused one', async () => {
    const first = await sync();
    expect(first.map(({ refused }) => refused)).toEqual([
      undefined,
      'unsupported_destination',
      undefined,
    ]);
    expect(await sync()).toEqual(first);
    const orders = await system.ctx.db`select 1 from orders where workspace_id = ${workspace.id}`;
    expect(orders).toHaveLength(2);
  });

  it('reads quoted fields', () => {
    expect(readRows(csv)[0]?.['context']).toBe('Asked for a quote, twice');
    expect(readRows(csv)[2]?.['first_name']).toBe('Al "Ace" Roe');
    expect(readRows('a,b\n,"x\ny"\nlast,')).toEqual([
      { a: '', b: 'x\ny' },
      { a: 'last', b: '' },
    ]);
  });
});

const body = JSON.stringify({ event: 'order.completed', order_id: 'ord_1', status: 'BOOKED' });

describe.each(['express', 'fastify'])('the %s receiver', (framework) => {
  async function receive(request: { body: string; signature: string }, fails = false) {
    const taken: string[] = [];
    const takeEvent = (event: { order_id: string }) => {
      if (fails) throw new Error('the database is away');
      taken.push(event.order_id);
    };
    const secrets = ['whsec_new', 'whsec_old'];
    const { url, close } =
      framework === 'express'
        ? await listenExpress(createExpressReceiver(secrets, takeEvent))
        : await listenFastify(createFastifyReceiver(secrets, takeEvent));
    const response = await fetch(`${url}/webhooks/calls`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': request.signature },
      body: request.body,
    });
    await close();
    return { status: response.status, taken };
  }

  it('takes a genuine event, refuses a forged one, and asks again when it failed', async () => {
    const signature = await signForTest(body, 'whsec_old');
    expect(await receive({ body, signature })).toEqual({ status: 204, taken: ['ord_1'] });
    const forged = { body: body.replace('BOOKED', 'FAILED'), signature };
    expect(await receive(forged)).toEqual({ status: 400, taken: [] });
    expect(await receive({ body, signature }, true)).toEqual({ status: 500, taken: [] });
  });
});

async function listenExpress(app: ReturnType<typeof createExpressReceiver>) {
  const listening = app.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  // A listening TCP server has an address with a port.
  const { port } = listening.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => void listening.close(resolve)),
  };
}

async function listenFastify(app: ReturnType<typeof createFastifyReceiver>) {
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => app.close() };
}
