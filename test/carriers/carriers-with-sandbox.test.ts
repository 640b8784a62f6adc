// The official clients and the sandbox network, written from the same documents by different hands.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { people } from '../../adapters/carriers/sandbox/people/people.ts';
import { startSandbox } from '../../adapters/carriers/sandbox/start-sandbox.ts';
import type { Sandbox } from '../../adapters/carriers/sandbox/start-sandbox.ts';
import type { CallbackReading } from '../../domain/calls/carrier.ts';
import { createLogger } from '../../platform/log.ts';
import { account, callbacks, carriers, shops } from './both-carriers.ts';

const log = createLogger({ level: 'silent', process: 'test' });
const from = '+12025550199';

let sandbox: Sandbox;
let origin = '';
const readings: CallbackReading[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const url = `${origin}${request.url}`;
    const isForm = request.headers['content-type']?.includes('form') ?? false;
    const params = isForm ? Object.fromEntries(new URLSearchParams(body)) : {};
    const reader = callbacks[isForm ? 'twilio' : 'telnyx'](sandbox.url);
    if (request.url?.startsWith('/call'))
      readings.push(reader.readCall({ url, params, headers: request.headers, body }));
    return response.writeHead(204).end();
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an address object.
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sandbox = await startSandbox({ ...account, port: 0, simulationSpeed: 20, log });
});
afterAll(async () => {
  await sandbox.close();
  server.closeAllConnections();
  server.close();
});

function numberOf(key: string): string {
  const person = people.find((candidate) => candidate.key === key);
  if (!person) throw new Error(`nobody in the sandbox is called ${key}`);
  return person.phone;
}

describe.each(['twilio', 'telnyx'] as const)('over %s', (protocol) => {
  const carrier = () => carriers[protocol](sandbox.url);
  let attempts = 0;

  function place(to: string) {
    attempts += 1;
    return carrier().placeCall({
      attemptId: `att_${protocol}_${attempts}`,
      workspaceId: 'wsp_1',
      to,
      from,
      ringTimeoutSeconds: 20,
      timeLimitSeconds: 60,
      mediaUrl: 'ws://127.0.0.1:1/media/token',
      statusCallbackUrl: `${origin}/call?to=${encodeURIComponent(to)}`,
      machineDetectionCallbackUrl: `${origin}/machine`,
    });
  }

  async function placed(to: string) {
    const result = await place(to);
    if (result.kind !== 'placed') throw new Error(`not placed: ${result.kind}`);
    return result.carrierCallId;
  }

  const lookUp = (to: string, placedAfter: Date, carrierCallId: string | null) =>
    carrier().findCall({
      attemptId: `att_${protocol}_${attempts}`,
      to,
      from,
      placedAfter,
      carrierCallId,
    });

  const statesOf = (carrierCallId: string) =>
    readings.flatMap((reading) =>
      reading.kind === 'event' &&
      reading.event.kind === 'call_state' &&
      reading.event.carrierCallId === carrierCallId
        ? [reading.event.state]
        : [],
    );

  const orderFault = (fault: object) =>
    fetch(`${sandbox.url}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    });

  test('a call is placed, told about by signed callbacks, and found with and without its id', async () => {
    const to = numberOf('no_answer');
    const placedAfter = new Date();
    const carrierCallId = await placed(to);
    expect(await lookUp(to, placedAfter, null)).toMatchObject({ kind: 'found', carrierCallId });
    await vi.waitFor(() => expect(statesOf(carrierCallId)).toContain('no_answer'), 10_000);
    const told = { twilio: ['queued', 'ringing', 'no_answer'], telnyx: ['ringing', 'no_answer'] };
    expect(statesOf(carrierCallId)).toEqual(told[protocol]);
    expect(readings.filter(({ kind }) => kind === 'forged' || kind === 'unreadable')).toEqual([]);
    const byId = await lookUp(to, placedAfter, carrierCallId);
    expect(byId).toMatchObject({ kind: 'found', carrierCallId, state: 'no_answer' });
    expect(await lookUp(to, placedAfter, null)).toMatchObject({
      kind: 'found',
      state: 'no_answer',
    });
  });

  test('a busy number is told as busy', async () => {
    const carrierCallId = await placed(numberOf('busy'));
    await vi.waitFor(() => expect(statesOf(carrierCallId)).toContain('busy'), 10_000);
  });

  test('a ringing call is ended, and ending it again says that it is over', async () => {
    const to = numberOf('no_answer');
    const carrierCallId = await placed(to);
    expect(await carrier().endCall(carrierCallId)).toBe('ended');
    await vi.waitFor(() => expect(statesOf(carrierCallId)).toContain('canceled'), 10_000);
    expect(await lookUp(to, new Date(0), carrierCallId)).toMatchObject({
      kind: 'found',
      state: expect.stringMatching(/^(canceled|no_answer)$/) as string,
    });
    expect(await carrier().endCall(carrierCallId)).toBe('already_ended');
    expect(await carrier().endCall(`CA${'f'.repeat(32)}`)).toBe('already_ended');
  });

  test('a number that is none is refused, and nothing was placed', async () => {
    const to = numberOf('invalid');
    expect(await place(to)).toMatchObject({ kind: 'refused', why: 'invalid_number' });
    expect(await lookUp(to, new Date(), null)).toEqual({ kind: 'none' });
  });

  test('too many requests are told apart, and nothing was placed', async () => {
    const to = protocol === 'twilio' ? '+12025550180' : '+12025550181';
    await orderFault({ to, request: { kind: 'too_many_requests' } });
    expect(await place(to)).toMatchObject({ kind: 'refused', why: 'too_many_requests' });
    expect(await lookUp(to, new Date(0), null)).toEqual({ kind: 'none' });
  });

  test('a call whose answer was lost is unknown, and is found without its id', async () => {
    const to = protocol === 'twilio' ? '+12025550190' : '+12025550191';
    await orderFault({ to, request: { kind: 'fails_after_placing', times: 1 } });
    const placedAfter = new Date();
    expect(await place(to)).toMatchObject({ kind: 'unknown' });
    expect(await lookUp(to, placedAfter, null)).toMatchObject({
      kind: 'found',
      carrierCallId: expect.any(String) as string,
    });
  });

  // Twilio knows no reference of ours for a call.
  test.runIf(protocol === 'telnyx')(
    'the same attempt rings once, however often asked',
    async () => {
      const to = '+12025550192';
      const first = await placed(to);
      attempts -= 1;
      expect(await placed(to)).toBe(first);
      const response = await fetch(`${sandbox.url}/sandbox/calls`);
      const { calls } = (await response.json()) as { calls: { to: string }[] };
      expect(calls.filter((call) => call.to === to)).toHaveLength(1);
      await carrier().endCall(first);
    },
  );

  test('texts are sent, and a stopped number is told apart', async () => {
    const send = (to: string) =>
      carrier().sendText({
        textId: 'txt_1',
        to,
        from,
        body: 'We tried to reach you.',
        statusCallbackUrl: `${origin}/text`,
      });
    expect(await send(numberOf('no_answer'))).toMatchObject({ kind: 'sent' });
    expect(await send(numberOf('invalid'))).toMatchObject({
      kind: 'refused',
      why: 'undeliverable',
    });
    expect(await send(numberOf('texts_stopped'))).toMatchObject({
      kind: 'refused',
      why: 'do_not_contact',
    });
  });

  test('numbers are found by area code, bought with our reference, listed, and given back', async () => {
    const shop = shops[protocol](sandbox.url);
    const found = await shop.searchNumbers({ areaCode: '503', limit: 2 });
    expect(found.kind === 'found' && found.numbers.map(({ phone }) => phone)).toEqual([
      '+15035550150',
      '+15035550151',
    ]);
    const order = { phone: '+15035550150', reference: `num_${protocol}` };
    expect(await shop.findNumber(order)).toEqual({ kind: 'none' });
    const bought = await shop.buyNumber(order);
    expect(bought).toMatchObject({ kind: 'bought' });
    const carrierNumberId = bought.kind === 'bought' ? bought.carrierNumberId : '';
    expect(await shop.findNumber(order)).toEqual({ kind: 'owned', carrierNumberId });
    expect(await shop.listNumbers()).toEqual({
      kind: 'found',
      numbers: [{ carrierNumberId, ...order }],
    });
    const again = await shop.buyNumber({ ...order, reference: 'num_other' });
    expect(again).toMatchObject({ kind: 'refused', why: 'not_available' });
    expect(await shop.findNumber({ ...order, reference: 'num_other' })).toEqual({ kind: 'none' });
    expect(await shop.releaseNumber(carrierNumberId)).toBe('released');
    expect(await shop.releaseNumber(carrierNumberId)).toBe('already_released');
  });

  test('a purchase whose answer was lost is unknown, and is found by our reference', async () => {
    const shop = shops[protocol](sandbox.url);
    const order = { phone: '+15035550160', reference: `num_lost_${protocol}` };
    await orderFault({ to: order.phone, request: { kind: 'fails_after_placing' } });
    expect(await shop.buyNumber(order)).toMatchObject({ kind: 'unknown' });
    const found = await shop.findNumber(order);
    expect(found).toMatchObject({ kind: 'owned' });
    await shop.releaseNumber(found.kind === 'owned' ? found.carrierNumberId : '');
  });
});
