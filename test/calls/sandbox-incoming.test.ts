// People of the sandbox call the customer's number: what the customer is asked, and what its TwiML does.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Customer, openCustomer, streamTwiml } from '../voice/support/sandbox-customer.ts';

const to = '+12025550100';
let customer: Customer;
let twiml = '';

beforeAll(async () => {
  customer = await openCustomer();
  customer.callbacks.answerWith((path) =>
    path === '/voice' ? { status: 200, body: twiml } : { status: 204, body: '' },
  );
});
afterAll(() => customer[Symbol.asyncDispose]());
beforeEach(() => {
  twiml = '<Response/>';
});

async function callIn(person: string, body: Record<string, unknown> = { to }) {
  const response = await customer.control(`people/${person}/calls`, body);
  const { sid = '' } = response.status === 201 ? ((await response.json()) as { sid: string }) : {};
  const of = (path: string) =>
    customer.callbacks.inbox.first((each) => each.path === path && each.fields['CallSid'] === sid);
  return {
    status: response.status,
    sid,
    asked: () => of('/voice'),
    over: () => of('/voice/status'),
  };
}

describe('a call to a number of the customer', () => {
  it('asks for TwiML by a signed request that names both numbers', async () => {
    const call = await callIn('books');
    expect(await call.asked()).toMatchObject({
      isSigned: true,
      fields: {
        From: '+12125550101',
        To: to,
        CallStatus: 'ringing',
        Direction: 'inbound',
        CallSid: call.sid,
      },
    });
    expect(await call.over()).toMatchObject({
      isSigned: true,
      fields: { CallStatus: 'completed', Direction: 'inbound' },
    });
  });

  it('of somebody who withholds their number shows the word on a keypad', async () => {
    const call = await callIn('books', { to, anonymous: true });
    expect((await call.asked()).fields['From']).toBe('+266696687');
  });

  it.each([
    ['busy', 'busy'],
    ['rejected', 'no-answer'],
  ])('rejected as %s is never answered and ends as %s', async (reason, status) => {
    twiml = `<Response><Reject reason="${reason}"/></Response>`;
    const call = await callIn('books');
    expect((await call.over()).fields).toMatchObject({ CallStatus: status, CallDuration: '0' });
    const shown = await customer.client.calls(call.sid).fetch();
    expect(shown).toMatchObject({ direction: 'inbound', status });
  });

  it('hears what is said to it, to the end', async () => {
    twiml = '<Response><Say>We are closed &amp; asleep. Goodbye.</Say><Hangup/></Response>';
    const call = await callIn('books');
    await call.over();
    const response = await fetch(`${customer.sandbox.url}/sandbox/calls`);
    const { calls } = (await response.json()) as { calls: { sid: string; heard: string }[] };
    expect(calls.find(({ sid }) => sid === call.sid)?.heard).toMatch(/asleep\. Goodbye\.$/);
  });

  it('is streamed, and the caller waits to be greeted', async () => {
    twiml = streamTwiml(`${customer.media.url}/incoming`);
    const call = await callIn('books');
    const stream = await customer.media.inbox.first(({ path }) => path === '/incoming');
    expect(stream.isSigned).toBe(true);
    expect((await stream.messages.first(({ event }) => event === 'start'))['start']).toMatchObject({
      callSid: call.sid,
    });
    // One second of silence from both sides: whoever is called would have said hello by now.
    await stream.messages.first((message) => isAt(message, 1_000));
    stream.socket.close();
    await call.over();
    const response = await fetch(`${customer.sandbox.url}/sandbox/calls`);
    const { calls } = (await response.json()) as {
      calls: { sid: string; conversation: { who: string }[] }[];
    };
    expect(calls.find(({ sid }) => sid === call.sid)?.conversation).toEqual([]);
  });

  it('rings nobody: it is not counted with the rings of a phone', async () => {
    await (await callIn('books')).over();
    const response = await fetch(`${customer.sandbox.url}/sandbox/calls`);
    const { rings } = (await response.json()) as { rings: Record<string, number> };
    expect(rings[to]).toBeUndefined();
  });

  it('of nobody in the network is 404, to no number 400', async () => {
    expect((await callIn('somebody')).status).toBe(404);
    expect((await callIn('books', { to: 'home' })).status).toBe(400);
  });
});

function isAt(message: Readonly<Record<string, unknown>>, atMs: number): boolean {
  const media = message['media'] as { timestamp: string } | undefined;
  return message['event'] === 'media' && Number(media?.timestamp) >= atMs;
}
