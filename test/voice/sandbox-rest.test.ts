import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, openCustomer, type Customer } from './support/sandbox-customer.ts';

const from = '+12025550100';
/** The poll of a result that takes a second or two. */
const patience = { timeout: 20_000 };
const twiml = '<Response><Pause length="1"/></Response>';

let customer: Customer;
beforeAll(async () => {
  customer = await openCustomer();
});
afterAll(() => customer[Symbol.asyncDispose]());

describe('calls over the official client', () => {
  test('a placed call is queued and can be fetched', async () => {
    const placed = await customer.client.calls.create({ to: '+12125550201', from, twiml });
    expect(placed).toMatchObject({ status: 'queued', direction: 'outbound-api', from });
    expect(placed.sid).toMatch(/^CA[0-9a-f]{32}$/);
    const fetched = await customer.client.calls(placed.sid).fetch();
    expect(fetched).toMatchObject({ sid: placed.sid, to: '+12125550201' });
    expect(fetched.dateCreated).toBeInstanceOf(Date);
  });

  test('a call is found by its number and the second it was placed in', async () => {
    const to = '+12125550202';
    const before = new Date();
    const placed = await customer.client.calls.create({ to, from, twiml });
    const found = await customer.client.calls.list({ to, from, startTimeAfter: before });
    expect(found.map(({ sid }) => sid)).toEqual([placed.sid]);
    const later = new Date(before.getTime() + 60_000);
    expect(await customer.client.calls.list({ to, startTimeAfter: later })).toEqual([]);
    expect(await customer.client.calls.list({ to, startTimeBefore: later })).toHaveLength(1);
  });

  test('a list goes on over its pages, newest first', async () => {
    const to = '+12125550109';
    const placed: string[] = [];
    for (let count = 0; count < 3; count += 1)
      placed.push((await customer.client.calls.create({ to, from, twiml })).sid);
    const listed = await customer.client.calls.list({ to, pageSize: 2 });
    expect(listed.map(({ sid }) => sid)).toEqual(placed.toReversed());
  });

  test('completed ends a call that rings; it was then canceled', async () => {
    const { sid } = await customer.client.calls.create({ to: '+12125550108', from, twiml });
    await customer.client.calls(sid).update({ status: 'completed' });
    await expect.poll(() => statusOf(sid), patience).toBe('canceled');
  });

  test('canceled leaves a call alone that was answered, completed ends it', async () => {
    const pause = '<Response><Pause length="60"/></Response>';
    const { sid } = await customer.client.calls.create({ to: '+12125550203', from, twiml: pause });
    await expect.poll(() => statusOf(sid), patience).toBe('in-progress');
    await customer.client.calls(sid).update({ status: 'canceled' });
    expect(await statusOf(sid)).toBe('in-progress');
    await customer.client.calls(sid).update({ status: 'completed' });
    await expect.poll(() => statusOf(sid), patience).toBe('completed');
    const ended = customer.client.calls(sid).update({ status: 'completed' });
    await expect(ended).rejects.toMatchObject({ status: 404, code: 20_404 });
  });

  test.each([
    [{ to: '+12125550111', from, twiml }, 21_211],
    [{ to: '12345', from, twiml }, 21_211],
    [{ to: '+12125550204', from: 'nobody', twiml }, 21_212],
    [{ to: '+12125550204', from }, 21_205],
    [{ to: '+12125550204', from, twiml, statusCallback: 'ftp://x' }, 20_001],
    [{ to: '+12125550204', from, twiml, timeout: 601 }, 20_001],
  ])('%j is refused with %i', async (order, code) => {
    const refused = customer.client.calls.create(order);
    await expect(refused).rejects.toMatchObject({ status: 400, code });
  });

  test('an unknown call is 20404, a wrong token 20003', async () => {
    const unknown = customer.client.calls(`CA${'0'.repeat(32)}`).fetch();
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 20_404 });
    const stranger = clientOf(customer.sandbox.url, 'wrong').calls.list({ limit: 1 });
    await expect(stranger).rejects.toMatchObject({ status: 401, code: 20_003 });
  });
});

describe('texts over the official client', () => {
  test('a text arrives, is listed, and its delivery is told by signed callbacks', async () => {
    const { client, callbacks, sandbox } = customer;
    const statusCallback = `${callbacks.url}/texts?id=1`;
    const body = 'Sorry we missed you. Call us back any time.';
    const to = '+12125550205';
    const sent = await client.messages.create({ to, from, body, statusCallback });
    expect(sent).toMatchObject({ status: 'queued', numSegments: '1', body });
    const delivered = await callbacks.inbox.first(
      ({ fields }) => fields['MessageSid'] === sent.sid && fields['MessageStatus'] === 'delivered',
    );
    expect(delivered).toMatchObject({ path: '/texts?id=1', isSigned: true });
    expect((await client.messages(sent.sid).fetch()).status).toBe('delivered');
    expect(await client.messages.list({ to })).toHaveLength(1);
    const inbox: unknown = await (await fetch(`${sandbox.url}/sandbox/texts`)).json();
    expect(inbox).toMatchObject({ texts: [{ sid: sent.sid, body }] });
  });

  test('somebody who said STOP gets no text', async () => {
    const refused = customer.client.messages.create({ to: '+12125550112', from, body: 'Hi' });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 21_610 });
  });
});

describe('requests that fail on order', () => {
  test('an error before placing rings nobody, and happens as often as ordered', async () => {
    const to = '+12125550206';
    await customer.control('faults', { to, request: { kind: 'fails_before_placing' } });
    const failed = customer.client.calls.create({ to, from, twiml });
    await expect(failed).rejects.toMatchObject({ status: 500 });
    expect(await customer.client.calls.list({ to })).toEqual([]);
    await customer.client.calls.create({ to, from, twiml });
    expect(await customer.client.calls.list({ to })).toHaveLength(1);
  });

  test('an error after placing hides a call that rings', async () => {
    const to = '+12125550207';
    await customer.control('faults', { to, request: { kind: 'fails_after_placing' } });
    const failed = customer.client.calls.create({ to, from, twiml });
    await expect(failed).rejects.toMatchObject({ status: 500 });
    expect(await customer.client.calls.list({ to })).toHaveLength(1);
    await expect.poll(() => ringsOf(to), patience).toBe(1);
  });

  test('a late answer comes after the call began', async () => {
    const to = '+12125550208';
    await customer.control('faults', { to, request: { kind: 'answers_late', afterMs: 300 } });
    const startedMs = performance.now();
    await customer.client.calls.create({ to, from, twiml });
    expect(performance.now() - startedMs).toBeGreaterThan(250);
    expect(await ringsOf(to)).toBe(1);
  });

  test('too many requests are refused with 20429', async () => {
    const to = '+12125550209';
    await customer.control('faults', { to, request: { kind: 'too_many_requests', times: 2 } });
    const first = customer.client.calls.create({ to, from, twiml });
    await expect(first).rejects.toMatchObject({ status: 429, code: 20_429 });
    const second = customer.client.messages.create({ to, from, body: 'Hi' });
    await expect(second).rejects.toMatchObject({ status: 429, code: 20_429 });
    await customer.client.messages.create({ to, from, body: 'Hi' });
  });

  test('an order that makes no sense is explained', async () => {
    const response = await customer.control('faults', { request: { kind: 'explodes' } });
    expect(response.status).toBe(400);
  });
});

async function statusOf(sid: string): Promise<string> {
  return (await customer.client.calls(sid).fetch()).status;
}

async function ringsOf(to: string): Promise<number> {
  const response = await fetch(`${customer.sandbox.url}/sandbox/calls`);
  // The control API's own answer.
  const { rings } = (await response.json()) as { rings: Record<string, number> };
  return rings[to] ?? 0;
}
