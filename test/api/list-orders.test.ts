// GET /v1/orders over real HTTP and a real database: filters, pages, and every refusal.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { startServer } from '../../server/start-server.ts';
import { assertConforms } from '../support/conformance.ts';
import {
  createAgent,
  createWorkspace,
  orderBody,
  type TestWorkspace,
} from '../support/factories.ts';
import { insertListedOrders, type ListedOrderRow } from '../support/listed-orders.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
let workspace: TestWorkspace;

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
});

interface Answer {
  readonly success: boolean;
  readonly orders: readonly { readonly order_id: string; readonly [field: string]: unknown }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly error?: string;
  readonly message?: string;
}

/** Every answer is held against the document. */
async function get(query = '', key = workspace.liveKey) {
  const path = `/v1/orders${query}`;
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  const { status, headers } = response;
  assertConforms({ method: 'GET', path, status, headers: Object.fromEntries(headers), body: text });
  return { status, headers, body: JSON.parse(text) as Answer };
}

async function idsOf(query: string): Promise<string[]> {
  const { status, body } = await get(query);
  expect(status).toBe(200);
  return body.orders.map(({ order_id: id }) => id);
}

/** Follows the cursors to the end. */
async function allIds(query: string): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null = null;
  do {
    const { body }: { body: Answer } = await get(next ? `?limit=3&cursor=${next}` : query);
    expect(body.has_more).toBe(body.next_cursor !== null);
    ids.push(...body.orders.map(({ order_id: id }) => id));
    next = body.next_cursor;
  } while (next);
  return ids;
}

const insert = (rows: readonly ListedOrderRow[]) =>
  insertListedOrders(system.ctx.db, workspace, rows);

describe('200', () => {
  it('shows an order as GET of it does, without transcript, attempts and consent', async () => {
    const posted = await fetch(`http://127.0.0.1:${server.port}/v1/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.liveKey}` },
      body: JSON.stringify(orderBody(workspace, { external_reference_id: 'crm-1' })),
    });
    const { order_id: id } = (await posted.json()) as { order_id: string };
    const read = await fetch(`http://127.0.0.1:${server.port}/v1/orders/${id}`, {
      headers: { authorization: `Bearer ${workspace.liveKey}` },
    });
    const one = (await read.json()) as Record<string, unknown>;
    const { body } = await get();
    expect(body).toMatchObject({ success: true, has_more: false, next_cursor: null });
    const left = ['success', 'transcript', 'attempts', 'consent'];
    const kept = Object.entries(one).filter(([name]) => !left.includes(name));
    expect(body.orders).toEqual([Object.fromEntries(kept)]);
  });

  it('is empty in an empty workspace, and never shows those of another one', async () => {
    const other = await createWorkspace(system.ctx);
    await insertListedOrders(system.ctx.db, other, [{ id: 'ord_other', minute: 0 }]);
    expect(await idsOf('')).toEqual([]);
  });

  it('shows the newest first, and equal times by id', async () => {
    await insert([
      { id: 'ord_a', minute: 1 },
      { id: 'ord_b', minute: 2 },
      { id: 'ord_c', minute: 1 },
    ]);
    expect(await idsOf('')).toEqual(['ord_b', 'ord_c', 'ord_a']);
  });

  it('has 50 on a page unless asked, and 100 at most', async () => {
    await insert(Array.from({ length: 120 }, (_, n) => ({ id: `ord_${n}`, minute: n })));
    expect(await idsOf('')).toHaveLength(50);
    expect(await idsOf('?limit=100')).toHaveLength(100);
    expect(await idsOf('?limit=1')).toEqual(['ord_119']);
  });

  it('filters by one status or several', async () => {
    await insert([
      { id: 'ord_a', minute: 1, status: 'BOOKED' },
      { id: 'ord_b', minute: 2, status: 'FAILED' },
      { id: 'ord_c', minute: 3, status: 'QUEUED' },
    ]);
    expect(await idsOf('?status=BOOKED')).toEqual(['ord_a']);
    expect(await idsOf('?status=BOOKED,QUEUED')).toEqual(['ord_c', 'ord_a']);
    expect(await idsOf('?status=BOOKED%2CQUEUED')).toEqual(['ord_c', 'ord_a']);
    expect(await idsOf('?status=DIALING')).toEqual([]);
  });

  it('filters by agent; an unknown one has none', async () => {
    const agentId = await createAgent(system.ctx, workspace.id);
    await insert([
      { id: 'ord_a', minute: 1, agentId },
      { id: 'ord_b', minute: 2 },
    ]);
    expect(await idsOf(`?agent_id=${agentId}`)).toEqual(['ord_a']);
    expect(await idsOf('?agent_id=agt_unknown')).toEqual([]);
  });

  it('filters by the time of the last change, however old the order is', async () => {
    await insert([
      { id: 'ord_old', minute: 0, changedMinute: 5 },
      { id: 'ord_older', minute: -50_000, changedMinute: 10 },
      { id: 'ord_just', minute: 9, changedMinute: 10 },
      { id: 'ord_new', minute: 20 },
    ]);
    expect(await idsOf('?since=2026-01-01T00:10:00Z')).toEqual([
      'ord_new',
      'ord_just',
      'ord_older',
    ]);
    expect(await idsOf('?since=2026-01-01T02:10:00+02:00')).toHaveLength(3);
    expect(await idsOf('?since=2026-01-01T02:10:00%2B02:00')).toHaveLength(3);
    expect(await idsOf('?since=2026-01-01T00:10:00.001Z')).toEqual(['ord_new']);
    expect(await idsOf('?since=2026-01-01T00:05Z')).toHaveLength(4);
  });

  it.each(['', '&status=BOOKED,FAILED', '&since=2026-01-01T00:10:00Z', '&agent_id=agent'])(
    'pages without a gap or a repeat (%j)',
    async (filter) => {
      const query = `?limit=3${filter.replace('agent_id=agent', `agent_id=${workspace.agentId}`)}`;
      await insert(
        Array.from({ length: 20 }, (_, n) => ({
          id: `ord_${String(n).padStart(2, '0')}`,
          minute: Math.floor(n / 3),
          changedMinute: (n * 7) % 20,
          status: n % 2 ? ('BOOKED' as const) : ('DISQUALIFIED' as const),
        })),
      );
      const whole = await idsOf(query.replace('limit=3', 'limit=100'));
      expect(whole.length).toBeGreaterThan(3);
      expect(await allIds(query)).toEqual(whole);
    },
  );

  it('keeps its pages while new orders come in', async () => {
    await insert([1, 2, 3, 4].map((minute) => ({ id: `ord_${minute}`, minute })));
    const { body } = await get('?limit=2');
    await insert([{ id: 'ord_5', minute: 5 }]);
    expect(await idsOf(`?cursor=${body.next_cursor}`)).toEqual(['ord_2', 'ord_1']);
  });

  it('takes the filters of the cursor again beside it', async () => {
    await insert([1, 2].map((minute) => ({ id: `ord_${minute}`, minute })));
    const { body } = await get('?limit=1&status=QUEUED,FAILED');
    expect(await idsOf(`?cursor=${body.next_cursor}&status=FAILED,QUEUED`)).toEqual(['ord_1']);
  });

  it('ignores parameters that it does not know', async () => {
    expect((await get('?page=2&page=3&%E0%A4%A=1&limit=5')).status).toBe(200);
  });
});

async function expectRefusal(query: string, name: string) {
  const { status, body } = await get(query);
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' });
  expect(body.message).toMatch(new RegExp(`^${name}: `));
}

describe('400 invalid_request', () => {
  it.each([
    ['status', ['', 'booked', 'BOOKED,', ',BOOKED', 'BOOKED;FAILED', 'BOOKED, FAILED', 'DONE']],
    ['since', ['', '2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', 'yesterday', '1']],
    [
      'limit',
      ['', '0', '101', '-1', '+5', '05', '5.0', '1e1', '0x10', ' 5', '%205', 'all', '5%00'],
    ],
    ['agent_id', ['', 'ord_1', 'agt_', 'agt_%00', 'agt_a/b', `agt_${'x'.repeat(65)}`, '%E0%A4%A']],
    ['cursor', ['', 'abc', 'abc.def', '..', 'a.b.c', `${'a'.repeat(2_000)}.a`]],
  ])('names %s', async (name, values) => {
    for (const value of values) await expectRefusal(`?${name}=${value}`, name);
  });

  it.each([
    'status=BOOKED',
    'since=2026-01-01T00:00:00Z',
    'limit=5',
    'agent_id=agt_1',
    'cursor=a.b',
  ])('names a parameter that is given twice: %s', async (parameter) => {
    await expectRefusal(`?${parameter}&${parameter}`, parameter.split('=')[0] ?? '');
  });

  it('names a cursor that was changed, is of another workspace, or goes with other filters', async () => {
    await insert([1, 2].map((minute) => ({ id: `ord_${minute}`, minute })));
    const cursor = (await get('?limit=1&status=QUEUED')).body.next_cursor ?? '';
    const [content = '', signature] = cursor.split('.');
    const forged = Buffer.from(content, 'base64url').toString().replace('QUEUED', 'FAILED');
    await expectRefusal(
      `?cursor=${Buffer.from(forged).toString('base64url')}.${signature}`,
      'cursor',
    );
    await expectRefusal(`?cursor=${content}.${signature?.slice(1)}`, 'cursor');
    await expectRefusal(`?cursor=${cursor}&status=FAILED`, 'cursor');
    await expectRefusal(`?cursor=${cursor}&since=2026-01-01T00:00:00Z`, 'cursor');
    await expectRefusal(`?cursor=${cursor}&agent_id=${workspace.agentId}`, 'cursor');
    workspace = await createWorkspace(system.ctx);
    await expectRefusal(`?cursor=${cursor}`, 'cursor');
  });
});

describe('401', () => {
  it('unauthorized comes before a wrong query', async () => {
    expect(await get('?limit=0', 'nonsense')).toMatchObject({
      status: 401,
      body: { error: 'unauthorized' },
    });
  });
});

describe('503', () => {
  it('unavailable: orders could not be read', async () => {
    await system.ctx.db`alter table orders rename to orders_away`;
    try {
      expect(await get()).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    } finally {
      await system.ctx.db`alter table orders_away rename to orders`;
    }
  });
});
