// The order list on many orders: right, and by an index, whatever is filtered.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOrderPage, orderPageSql } from '../../domain/orders/order-list-queries.ts';
import { systemClock } from '../../platform/clock.ts';
import { createAgent, createWorkspace } from '../support/factories.ts';
import {
  type BusyWorkspace,
  filterCombinations,
  insertManyOrders,
} from '../support/many-orders.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const newestAt = new Date('2026-11-20T12:00:00Z');
const agentIds = ['agt_1', 'agt_2', 'agt_3', 'agt_4', 'agt_5'];
const busy: BusyWorkspace = { workspaceId: '', agentIds, count: 20_000, newestAt };
const combinations = filterCombinations(busy);

let system: TestContext;
let workspaceId: string;

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock() });
  workspaceId = (await createWorkspace(system.ctx)).id;
  for (const id of agentIds) await createAgent(system.ctx, workspaceId, { id });
  await insertManyOrders(system.ctx.db, { ...busy, workspaceId });
});
afterAll(() => system.close());

type Combination = (typeof combinations)[number];

/** What the list means, said as plainly as SQL can and without a thought for speed. */
async function plainlyFoundIds({ filter, after }: Combination, limit: number) {
  const { db } = system.ctx;
  const rows = await db<{ id: string }[]>`
    select id from orders where workspace_id = ${workspaceId}
      and (${filter.statuses === null} or status = any(${filter.statuses ?? []}::text[]))
      and (${filter.agentId === null} or agent_id = ${filter.agentId})
      and (${filter.since === null} or updated_at >= ${filter.since})
      and (${after === null} or (created_at, id) < (${after?.createdAt ?? null}::timestamptz,
        ${after?.id ?? null}::text))
    order by created_at desc, id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

describe.each(combinations)('filtered by "$name"', (combination) => {
  const page = () => ({ workspaceId, ...combination, limit: 51 });

  it('finds what it should, in order', async () => {
    const found = await findOrderPage(system.ctx.db, page());
    expect(found.map(({ id }) => id)).toEqual(await plainlyFoundIds(combination, 51));
  });

  it('reads by an index and never through the table', async () => {
    const { db } = system.ctx;
    const rows = await db<{ queryPlan: string }[]>`
      explain (analyze, costs off, timing off, summary off) ${orderPageSql(db, page())}`;
    const plan = rows.map((row) => Object.values(row)[0]).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan using orders_/);
    expect(plan).not.toMatch(/Seq Scan on orders/);
    // Rows that were read and thrown away would grow with the table.
    const thrownAway = Array.from(plan.matchAll(/Rows Removed by Filter: (\d+)/g), ([, count]) =>
      Number(count),
    );
    expect(Math.max(0, ...thrownAway)).toBeLessThan(1_000);
  });
});
