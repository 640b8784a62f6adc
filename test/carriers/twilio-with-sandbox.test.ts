// The official client and the sandbox network, written from the same documents by different hands.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { people } from '../../adapters/carriers/sandbox/people/people.ts';
import { startSandbox } from '../../adapters/carriers/sandbox/start-sandbox.ts';
import type { Sandbox } from '../../adapters/carriers/sandbox/start-sandbox.ts';
import { createTwilioCallbacks } from '../../adapters/carriers/twilio/twilio-callbacks.ts';
import { createTwilioCarrier } from '../../adapters/carriers/twilio/twilio-carrier.ts';
import type { CallbackReading } from '../../domain/calls/carrier.ts';
import { createLogger } from '../../platform/log.ts';

const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token' };
const log = createLogger({ level: 'silent', process: 'test' });
const from = '+12025550199';
const nobodyAnswers = numberOf('no_answer');

let sandbox: Sandbox;
let origin = '';
const readings: CallbackReading[] = [];
const callbacks = createTwilioCallbacks(account);
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const header = request.headers['x-twilio-signature'];
    readings.push(
      callbacks.readCall({
        url: `${origin}${request.url}`,
        params: Object.fromEntries(new URLSearchParams(body)),
        signature: typeof header === 'string' ? header : undefined,
      }),
    );
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

const carrier = () => createTwilioCarrier({ ...account, baseUrl: sandbox.url });

function place(to: string) {
  return carrier().placeCall({
    attemptId: 'att_1',
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

const statesOf = (carrierCallId: string) =>
  readings.flatMap((reading) =>
    reading.kind === 'event' &&
    reading.event.kind === 'call_state' &&
    reading.event.carrierCallId === carrierCallId
      ? [reading.event.state]
      : [],
  );

test('a call is placed, told about by signed callbacks, and found by sid and by numbers', async () => {
  const placedAfter = new Date();
  const carrierCallId = await placed(nobodyAnswers);
  const query = { to: nobodyAnswers, from, placedAfter };
  const byNumbers = await carrier().findCall({ ...query, carrierCallId: null });
  expect(byNumbers).toMatchObject({ kind: 'found', carrierCallId });
  await vi.waitFor(() => expect(statesOf(carrierCallId)).toContain('no_answer'), 10_000);
  expect(statesOf(carrierCallId)).toEqual(['queued', 'ringing', 'no_answer']);
  expect(readings.filter(({ kind }) => kind !== 'event')).toEqual([]);
  const bySid = await carrier().findCall({ ...query, carrierCallId });
  expect(bySid).toMatchObject({ kind: 'found', carrierCallId, state: 'no_answer' });
});

test('a busy number is told as busy', async () => {
  const carrierCallId = await placed(numberOf('busy'));
  await vi.waitFor(() => expect(statesOf(carrierCallId)).toContain('busy'), 10_000);
});

test('a ringing call is ended, and ending it again says that it is over', async () => {
  const carrierCallId = await placed(nobodyAnswers);
  expect(await carrier().endCall(carrierCallId)).toBe('ended');
  await vi.waitFor(async () => {
    const query = { to: nobodyAnswers, from, placedAfter: new Date(0), carrierCallId };
    const found = await carrier().findCall(query);
    expect(found).toMatchObject({ kind: 'found', state: expect.stringMatching(/^c/) as string });
  }, 10_000);
  expect(await carrier().endCall(`CA${'f'.repeat(32)}`)).toBe('already_ended');
});

test('refusals of the network are told apart', async () => {
  const to = numberOf('invalid');
  expect(await place(to)).toMatchObject({ kind: 'refused', why: 'invalid_number' });
  expect(
    await carrier().findCall({ to, from, placedAfter: new Date(), carrierCallId: null }),
  ).toEqual({ kind: 'none' });
});

test('a call whose answer was lost is unknown, and is found by its numbers', async () => {
  const to = '+12025550190';
  const fault = { to, request: { kind: 'fails_after_placing', times: 1 } };
  await fetch(`${sandbox.url}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  const placedAfter = new Date();
  expect(await place(to)).toMatchObject({ kind: 'unknown' });
  const found = await carrier().findCall({ to, from, placedAfter, carrierCallId: null });
  expect(found).toMatchObject({ kind: 'found' });
});

test('texts are sent, and a stopped number is told apart', async () => {
  const send = (to: string) =>
    carrier().sendText({
      textId: 'txt_1',
      to,
      from,
      body: 'We tried to reach you.',
      statusCallbackUrl: `${origin}/text`,
    });
  expect(await send(nobodyAnswers)).toMatchObject({ kind: 'sent' });
  expect(await send(numberOf('texts_stopped'))).toMatchObject({
    kind: 'refused',
    why: 'do_not_contact',
  });
});
