import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCustomer, type Customer, type ReceivedCallback } from './support/sandbox-customer.ts';

const from = '+12025550100';
/** The poll of a result that takes a second or two. */
const patience = { timeout: 20_000 };
const events = ['initiated', 'ringing', 'answered', 'completed'];

let customer: Customer;
beforeAll(async () => {
  customer = await openCustomer();
});
afterAll(() => customer[Symbol.asyncDispose]());

describe('status callbacks', () => {
  test.concurrent('each step of a call is told once, signed and numbered', async () => {
    const sid = await place('+12125550301');
    await told(sid, 'completed');
    expect(
      callbacksOf(sid).map(({ fields }) => [fields['SequenceNumber'], fields['CallStatus']]),
    ).toEqual([
      ['0', 'initiated'],
      ['1', 'ringing'],
      ['2', 'in-progress'],
      ['3', 'completed'],
    ]);
    for (const { isSigned, fields } of callbacksOf(sid)) {
      expect(isSigned).toBe(true);
      expect(fields).toMatchObject({ From: from, To: '+12125550301', Direction: 'outbound-api' });
      expect(Date.parse(fields['Timestamp'] ?? '')).not.toBeNaN();
    }
    expect(new Set(callbacksOf(sid).map(tokenOf)).size).toBe(4);
    expect(callbacksOf(sid).at(-1)?.fields).toMatchObject({
      CallDuration: '1',
      Duration: '1',
      SipResponseCode: '200',
    });
  });

  test.concurrent('only the end is told unless more is asked for', async () => {
    const sid = await place('+12125550302', { statusCallbackEvent: undefined });
    await told(sid, 'completed');
    expect(callbacksOf(sid)).toHaveLength(1);
  });

  test.concurrent('busy and unanswered calls end as what they were', async () => {
    const busy = await place('+12125550109');
    const unanswered = await place('+12125550108', { timeout: 5 });
    expect((await told(busy, 'busy')).fields['CallDuration']).toBe('0');
    expect((await told(unanswered, 'no-answer')).fields['SipResponseCode']).toBe('487');
    expect(callbacksOf(busy)).toHaveLength(2);
    expect(callbacksOf(unanswered)).toHaveLength(3);
  });

  test.concurrent('somebody who hangs up at once leaves a call of a second', async () => {
    const sid = await place('+12125550110', { twiml: '<Response><Pause length="9"/></Response>' });
    expect((await told(sid, 'completed')).fields['CallDuration']).toBe('1');
  });

  test.concurrent('a failure is retried once, with the same token', async () => {
    customer.callbacks.answerWith((path, count) => ({
      status: path === '/retried' && count === 1 ? 503 : 204,
      body: '',
    }));
    const sid = await place('+12125550109', {
      statusCallback: `${customer.callbacks.url}/retried`,
      statusCallbackEvent: ['completed'],
    });
    await expect.poll(() => callbacksOf(sid).length, patience).toBe(2);
    const [first, second] = callbacksOf(sid);
    expect(first && tokenOf(first)).toBe(second && tokenOf(second));
  });

  test.concurrent('machine detection hears a person and a machine', async () => {
    const asked = {
      twiml: '<Response><Pause length="8"/></Response>',
      machineDetection: 'Enable',
      asyncAmd: 'true',
      asyncAmdStatusCallback: `${customer.callbacks.url}/detected`,
    };
    const person = await place('+12125550303', asked);
    const machine = await place('+12125550107', asked);
    const detected = (sid: string) =>
      customer.callbacks.inbox.first(
        ({ path, fields }) => path === '/detected' && fields['CallSid'] === sid,
      );
    expect((await detected(person)).fields['AnsweredBy']).toBe('human');
    expect((await detected(machine)).fields['AnsweredBy']).toBe('machine_start');
    expect(Number((await detected(person)).fields['MachineDetectionDuration'])).toBeLessThan(5_000);
    await customer.client.calls(machine).update({ status: 'completed' });
    expect((await told(machine, 'completed')).fields['AnsweredBy']).toBe('machine_start');
  });
});

describe('callbacks that misbehave on order', () => {
  test.concurrent('copies carry the same token', async () => {
    await customer.control('faults', { to: '+12125550311', callbacks: { copies: 3 } });
    const sid = await place('+12125550311', { statusCallbackEvent: ['completed'] });
    await expect.poll(() => callbacksOf(sid).length, patience).toBe(3);
    expect(new Set(callbacksOf(sid).map(tokenOf)).size).toBe(1);
  });

  test.concurrent('reversed callbacks tell the end first', async () => {
    await customer.control('faults', { to: '+12125550312', callbacks: { send: 'reversed' } });
    const sid = await place('+12125550312');
    await told(sid, 'initiated');
    expect(callbacksOf(sid).map(({ fields }) => fields['SequenceNumber'])).toEqual([
      '3',
      '2',
      '1',
      '0',
    ]);
  });

  test.concurrent('callbacks can stay away altogether', async () => {
    const to = '+12125550314';
    await customer.control('faults', { to, callbacks: { send: 'never' } });
    const silent = await place(to);
    const status = async () => (await customer.client.calls(silent).fetch()).status;
    await expect.poll(status, patience).toBe('completed');
    await customer.control('faults', { to });
    await told(await place(to), 'completed');
    expect(callbacksOf(silent)).toEqual([]);
  });

  test.concurrent('the first callback can overtake the answer that names the call', async () => {
    const to = '+12125550313';
    await customer.control('faults', { to, callbacks: { firstBeforeAnswer: true } });
    const sid = await place(to);
    expect(callbacksOf(sid).length).toBeGreaterThan(0);
  });
});

async function place(to: string, options: object = {}): Promise<string> {
  const { sid } = await customer.client.calls.create({
    to,
    from,
    twiml: '<Response><Pause length="1"/></Response>',
    statusCallback: `${customer.callbacks.url}/calls`,
    statusCallbackEvent: events,
    ...options,
  });
  return sid;
}

function told(sid: string, status: string): Promise<ReceivedCallback> {
  return customer.callbacks.inbox.first(
    ({ fields }) => fields['CallSid'] === sid && fields['CallStatus'] === status,
  );
}

function callbacksOf(sid: string): ReceivedCallback[] {
  return customer.callbacks.inbox.items.filter(
    ({ path, fields }) => path !== '/detected' && fields['CallSid'] === sid,
  );
}

function tokenOf({ headers }: ReceivedCallback): unknown {
  return headers['i-twilio-idempotency-token'];
}
