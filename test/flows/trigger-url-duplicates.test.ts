// F55: the same payload calls once within 24 hours, however often and from however many sides it comes.
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptLead } from '../../domain/leads/accept-lead.ts';
import { openTriggerUrl, type TriggerUrl } from '../../domain/leads/open-trigger-url.ts';
import { payloadHash } from '../../domain/leads/payload-hash.ts';
import { turnableClock } from '../../platform/clock.ts';
import { startServer } from '../../server/start-server.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import { createTriggerUrl, postLead, type TestTriggerUrl } from '../support/trigger-url.ts';

const minuteMs = 60_000;
const lead = { phone: '212-555-0101', name: 'Ann Lee', page: { id: 7, tags: ['roof'] } };
const clock = turnableClock(new Date('2026-11-23T15:00:00Z'));

let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
let workspace: TestWorkspace;
let posted: TestTriggerUrl;
let url: TriggerUrl;

beforeAll(async () => {
  system = await createTestContext({ clock });
  server = await startServer(system.ctx, { port: 0 });
});
afterAll(async () => {
  await server.stop();
  await system.close();
});
beforeEach(async () => {
  await clock.turn(2 * minuteMs);
  workspace = await createWorkspace(system.ctx);
  posted = await createTriggerUrl(system.ctx, workspace);
  url = await openTriggerUrl(system.ctx, posted.token);
});

const accept = (payload: object, { test = false } = {}) =>
  acceptLead(system.ctx, url, { payload, test });

async function countOrders() {
  const [row] = await system.ctx.db<{ count: number }[]>`
    select count(*)::int as count from orders where workspace_id = ${workspace.id}`;
  return row?.count;
}

describe('the same payload', () => {
  it('100 times in parallel is one order and 100 answers that name it', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => accept(lead)));
    expect(new Set(answers.map(({ order_id: id }) => id)).size).toBe(1);
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(await countOrders()).toBe(1);
  });

  it('100 times in parallel over HTTP is one order, and the limit holds beside it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => postLead(server.port, posted.token, lead)),
    );
    const taken = answers.filter(({ status }) => status === 202);
    // One of the 60 leads of this minute was taken when the URL was opened above.
    expect(taken).toHaveLength(59);
    expect(answers.every(({ status }) => status === 202 || status === 429)).toBe(true);
    expect(new Set(taken.map(({ body }) => body.order_id)).size).toBe(1);
    expect(await countOrders()).toBe(1);
  });

  it('does not call again after 23 h 59 min, and calls again after 24 h 1 min', async () => {
    const first = await accept(lead);
    await clock.turn((24 * 60 - 1) * minuteMs);
    expect(await accept(lead)).toMatchObject({ order_id: first.order_id, duplicate: true });
    await clock.turn(2 * minuteMs);
    const [second, ...others] = await Promise.all(Array.from({ length: 20 }, () => accept(lead)));
    expect(second?.order_id).not.toBe(first.order_id);
    expect(new Set(others.map(({ order_id: id }) => id))).toEqual(new Set([second?.order_id]));
    expect(await countOrders()).toBe(2);
  });

  it('is answered with the present status of its order', async () => {
    const { order_id: orderId } = await accept(lead);
    await system.ctx.db`
      update orders set status = 'FAILED', next_dial_at = null, completed_at = now() where id = ${orderId}`;
    expect(await accept(lead)).toMatchObject({
      order_id: orderId,
      status: 'FAILED',
      duplicate: true,
    });
  });

  it('is still answered when an order would now be refused', async () => {
    const { order_id: orderId } = await accept(lead);
    await system.ctx.db`update wallets set paused = true where workspace_id = ${workspace.id}`;
    expect(await accept(lead)).toMatchObject({ order_id: orderId, duplicate: true });
  });

  it('as a form is the same as in JSON', async () => {
    const fields = { phone: '212-555-0101', name: 'Ann Lee' };
    const json = await postLead(server.port, posted.token, fields);
    const form = await postLead(server.port, posted.token, new URLSearchParams(fields));
    expect(form.body).toEqual({ ...json.body, duplicate: true });
  });

  it('at another URL is another lead', async () => {
    const first = await accept(lead);
    const { token } = await createTriggerUrl(system.ctx, workspace);
    url = await openTriggerUrl(system.ctx, token);
    expect((await accept(lead)).order_id).not.toBe(first.order_id);
  });
});

describe('not the same', () => {
  it('another payload for the same phone is another lead', async () => {
    const first = await accept(lead);
    expect(await accept({ ...lead, form: 2 })).toMatchObject({ duplicate: false });
    expect((await accept(lead)).order_id).toBe(first.order_id);
  });

  it('a lead and a test lead with one payload are two', async () => {
    const first = await accept(lead);
    await system.ctx.db`
      insert into confirmed_numbers values (${workspace.id}, '+12125550101', ${clock.now()})`;
    const test = await accept(lead, { test: true });
    expect(test).toMatchObject({ duplicate: false, test: true });
    expect(await accept(lead, { test: true })).toEqual({ ...test, duplicate: true });
    expect(test.order_id).not.toBe(first.order_id);
  });

  it('a lead that was refused is not remembered', async () => {
    await system.ctx.db`update wallets set paused = true where workspace_id = ${workspace.id}`;
    await expect(accept(lead)).rejects.toMatchObject({ code: 'insufficient_balance' });
    await system.ctx.db`update wallets set paused = false where workspace_id = ${workspace.id}`;
    expect(await accept(lead)).toMatchObject({ duplicate: false });
  });
});

it('the order of keys does not make a payload another', () => {
  const reversed = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(reversed);
    const entries = Object.entries(value).toReversed();
    return Object.fromEntries(entries.map(([key, child]) => [key, reversed(child)]));
  };
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (payload) => {
      const hash = payloadHash(payload, { test: false });
      expect(payloadHash(reversed(payload) as object, { test: false })).toEqual(hash);
      expect(payloadHash(payload, { test: true })).not.toEqual(hash);
      expect(payloadHash({ ...payload, added: 1 }, { test: false })).not.toEqual(hash);
    }),
  );
});
