import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { orderExample, outcomeExample } from '../../openapi/examples.ts';
import { generateApi, generatedFile } from '../../sdk/generate.ts';
import {
  ApiError,
  ConnectionError,
  createClient,
  signForTest,
  TimeoutError,
  verifyWebhook,
  WebhookVerificationError,
  webhooks,
} from '../../sdk/src/index.ts';
import type { OrderInput } from '../../sdk/src/index.ts';
import { liveKey } from '../support/memory-verbs.ts';
import { refusal, startPublicEdge, validOrder } from '../support/public-edge.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('the generated core is what the document generates', () => {
  const document = readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8');
  const generated = generateApi(JSON.parse(document) as Parameters<typeof generateApi>[0]);
  expect(generated).toBe(readFileSync(generatedFile, 'utf8'));
});

describe('the client against the server', () => {
  async function setup() {
    const edge = await startPublicEdge();
    cleanups.push(() => edge.close());
    const client = createClient({ apiKey: liveKey, baseUrl: edge.url, retryDelayMs: 1 });
    return { edge, client, order: validOrder() as unknown as OrderInput };
  }

  test('places an order with an Idempotency-Key of its own', async () => {
    const { edge, client, order } = await setup();
    await expect(client.orders.create(order)).resolves.toMatchObject({ status: 'QUEUED' });
    expect(edge.taken[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('sends the Idempotency-Key it is given', async () => {
    const { edge, client, order } = await setup();
    const first = await client.orders.create(order, { idempotencyKey: 'lead-1' });
    const second = await client.orders.create(order, { idempotencyKey: 'lead-1' });
    expect(second.order_id).toBe(first.order_id);
    expect(edge.taken.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['lead-1', 'lead-1']);
  });

  test('reads an order', async () => {
    const { client } = await setup();
    await expect(client.orders.get(orderExample.order_id)).resolves.toEqual(orderExample);
  });

  test('throws an ApiError with code, status and request id', async () => {
    const { edge, client, order } = await setup();
    edge.failWith(refusal('do_not_contact'));
    const error = await client.orders.create(order).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'do_not_contact', status: 409 });
    expect(error).toHaveProperty('requestId', expect.stringMatching(/^req_/));
  });

  test('treats a path in an order id as text', async () => {
    const { client } = await setup();
    await expect(client.orders.get('../../healthz')).rejects.toMatchObject({ code: 'not_found' });
  });
});

interface ScriptedAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** A server that answers from a list, and with the last entry from then on; null never answers. */
async function startScript(answers: readonly (ScriptedAnswer | null)[]) {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)];
    requests.push(request.headers);
    request.resume();
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  cleanups.push(() => closeServer(server));
  return { baseUrl: `http://127.0.0.1:${portOf(server)}`, requests };
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

async function closeServer(server: Server) {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

function errorAnswer(status: number, error: string, headers: Record<string, string> = {}) {
  return { status, headers, body: JSON.stringify({ success: false, error, message: 'x' }) };
}

const accepted = { success: true, order_id: 'ord_1', status: 'QUEUED', estimated_dial_seconds: 2 };
const taken: ScriptedAnswer = { status: 202, body: JSON.stringify(accepted) };

describe('retries', () => {
  async function create(answers: readonly (ScriptedAnswer | null)[], options: object = {}) {
    const { baseUrl, requests } = await startScript(answers);
    const client = createClient({ apiKey: liveKey, baseUrl, retryDelayMs: 1, ...options });
    const result = client.orders.create(validOrder() as unknown as OrderInput);
    return { result, requests };
  }

  test('repeat our own failures under the same Idempotency-Key', async () => {
    const { result, requests } = await create([
      errorAnswer(500, 'internal_error'),
      errorAnswer(503, 'wallet_unavailable'),
      taken,
    ]);
    await expect(result).resolves.toEqual(accepted);
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map((headers) => headers['idempotency-key'])).size).toBe(1);
  });

  test.each([
    [409, 'do_not_contact'],
    [409, 'idempotency_key_conflict'],
    [409, 'agent_inactive'],
    [402, 'insufficient_balance'],
    [422, 'unsupported_destination'],
    [429, 'rate_limited'],
  ])('leave %d %s alone', async (status, code) => {
    const { result, requests } = await create([errorAnswer(status, code), taken]);
    await expect(result).rejects.toMatchObject({ code, status });
    expect(requests).toHaveLength(1);
  });

  test('wait as long as Retry-After says', async () => {
    const { result, requests } = await create([
      errorAnswer(429, 'rate_limited', { 'retry-after': '0' }),
      taken,
    ]);
    await expect(result).resolves.toEqual(accepted);
    expect(requests).toHaveLength(2);
  });

  test('do not wait longer than they may', async () => {
    const { result } = await create([errorAnswer(429, 'rate_limited', { 'retry-after': '61' })]);
    await expect(result).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 61 });
  });

  test('repeat what a proxy answers with 502, and give up after the last', async () => {
    const { result, requests } = await create([{ status: 502, body: '<html>Bad gateway</html>' }]);
    await expect(result).rejects.toMatchObject({ code: 'unexpected_response', status: 502 });
    expect(requests).toHaveLength(3);
  });

  test('do not trust a 200 that is not of this API', async () => {
    const { result } = await create([{ status: 200, body: '<html>Sign in</html>' }]);
    await expect(result).rejects.toMatchObject({ code: 'unexpected_response', status: 200 });
  });

  test('end in a TimeoutError when no answer comes', async () => {
    const { result, requests } = await create([null], { timeoutMs: 20, maxRetries: 1 });
    await expect(result).rejects.toBeInstanceOf(TimeoutError);
    expect(requests).toHaveLength(2);
  });

  test('end in a ConnectionError when nobody listens', async () => {
    const { baseUrl } = await startScript([taken]);
    await cleanups.pop()?.();
    const client = createClient({ apiKey: liveKey, baseUrl, retryDelayMs: 1 });
    await expect(client.orders.get('ord_1')).rejects.toBeInstanceOf(ConnectionError);
  });

  test('stop with the reason of the signal, also while waiting', async () => {
    const { baseUrl } = await startScript([errorAnswer(500, 'internal_error')]);
    const client = createClient({ apiKey: liveKey, baseUrl, retryDelayMs: 60_000 });
    const stop = new AbortController();
    const result = client.orders.get('ord_1', { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
  });
});

describe('createClient', () => {
  test.each([
    { apiKey: 'sk_live_1', baseUrl: 'https://example.com' },
    { apiKey: '', baseUrl: 'https://example.com' },
    { apiKey: liveKey, baseUrl: '' },
    { apiKey: liveKey, baseUrl: 'ftp://example.com' },
  ])('refuses %j', (options) => {
    expect(() => createClient(options)).toThrow(TypeError);
  });
});

describe('webhooks.unwrap', () => {
  const secret = 'whsec_current';
  const body = JSON.stringify({ event: 'order.completed', ...outcomeExample });

  test.each([
    ['Headers', (value: string) => new Headers({ 'x-service-signature': value })],
    ['the headers of Node', (value: string) => ({ host: 'x', 'x-service-signature': value })],
    ['an object in the case of the wire', (value: string) => ({ 'X-Service-Signature': value })],
    ['a list of values', (value: string) => ({ 'x-service-signature': value.split(',') })],
  ])('finds the signature in %s', async (_what, headersOf) => {
    const headers = headersOf(await signForTest(body, secret));
    await expect(webhooks.unwrap(body, headers, ['whsec_next', secret])).resolves.toEqual(
      JSON.parse(body),
    );
  });

  test.each([{}, { 'x-service-signature': undefined }, new Headers()])(
    'refuses %j without a signature',
    async (headers) => {
      await expect(webhooks.unwrap(body, headers, secret)).rejects.toMatchObject({
        reason: 'malformed_header',
      });
    },
  );
});

describe('verifyWebhook', () => {
  const now = new Date('2026-05-01T12:00:00Z');
  const secret = 'whsec_current';
  const body = JSON.stringify({ event: 'order.completed', ...outcomeExample });

  async function verify(
    change: { body?: string; header?: string; secrets?: string[]; at?: Date } = {},
  ) {
    const header = change.header ?? (await signForTest(body, secret, { now }));
    const secrets = change.secrets ?? [secret];
    return verifyWebhook(change.body ?? body, header, secrets, { now: change.at ?? now });
  }

  function later(seconds: number): Date {
    return new Date(now.getTime() + seconds * 1000);
  }

  test('returns the event of a genuine webhook', async () => {
    await expect(verify()).resolves.toEqual(JSON.parse(body));
  });

  test('takes any body and secret on a round trip, as text or as bytes', async () => {
    const values = fc.record({ value: fc.jsonValue(), secret: fc.string() });
    await fc.assert(
      fc.asyncProperty(values, async ({ value, secret: tail }) => {
        const text = JSON.stringify(value);
        const header = await signForTest(text, `whsec_${tail}`, { now });
        const bytes = new TextEncoder().encode(text);
        const event: unknown = await verifyWebhook(bytes, header, `whsec_${tail}`, { now });
        expect(event).toEqual(JSON.parse(text));
      }),
      { numRuns: 50 },
    );
  });

  test('knows the signature of the specification', async () => {
    const seconds = now.getTime() / 1000;
    const v1 = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    expect(await signForTest(body, secret, { now })).toBe(`t=${seconds},v1=${v1}`);
  });

  test('accepts either of two signatures during a rotation', async () => {
    const header = await signForTest(body, ['whsec_new', 'whsec_old'], { now });
    await expect(verify({ header, secrets: ['whsec_new'] })).resolves.toBeDefined();
    await expect(verify({ header, secrets: ['whsec_old'] })).resolves.toBeDefined();
    await expect(verify({ header, secrets: ['whsec_other'] })).rejects.toMatchObject({
      reason: 'no_match',
    });
  });

  test('accepts any of several secrets of the receiver', async () => {
    await expect(verify({ secrets: ['whsec_next', secret] })).resolves.toBeDefined();
  });

  test('refuses a body that was changed', async () => {
    await expect(verify({ body: body.replace('BOOKED', 'FAILED') })).rejects.toMatchObject({
      name: 'WebhookVerificationError',
      reason: 'no_match',
    });
  });

  test('refuses a signature that is taken to another time', async () => {
    const header = await signForTest(body, secret, { now });
    const moved = header.replace(/^t=\d+/, `t=${later(1).getTime() / 1000}`);
    await expect(verify({ header: moved })).rejects.toMatchObject({ reason: 'no_match' });
  });

  test.each([300, -300])('accepts a clock that is %d seconds off', async (seconds) => {
    await expect(verify({ at: later(seconds) })).resolves.toBeDefined();
  });

  test.each([301, -301])('refuses a clock that is %d seconds off', async (seconds) => {
    await expect(verify({ at: later(seconds) })).rejects.toMatchObject({
      reason: 'outside_tolerance',
    });
  });

  test.each([
    '',
    'v1=00',
    't=1',
    `t=x,v1=${'0'.repeat(64)}`,
    `t=1,v1=${'F'.repeat(64)}`,
    `t=1,v0=${'0'.repeat(64)}`,
  ])('refuses the header %j', async (header) => {
    await expect(verify({ header })).rejects.toMatchObject({ reason: 'malformed_header' });
  });

  test('refuses a missing header and a body that is not JSON', async () => {
    await expect(verifyWebhook(body, null, secret, { now })).rejects.toBeInstanceOf(
      WebhookVerificationError,
    );
    const header = await signForTest('hello', secret, { now });
    await expect(verify({ header, body: 'hello' })).rejects.toMatchObject({ reason: 'not_json' });
  });

  test('refuses to work without a real secret', async () => {
    await expect(verify({ secrets: [''] })).rejects.toBeInstanceOf(TypeError);
  });
});
