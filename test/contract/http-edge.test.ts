import { METHODS } from 'node:http';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../openapi/errors.ts';
import { orderExample } from '../../openapi/examples.ts';
import { createOrder, getOrder } from '../../openapi/operations.ts';
import { assertConforms, documentedOutcomes } from '../support/conformance.ts';
import {
  liveKey,
  type PublicEdge,
  refusal,
  startPublicEdge,
  validOrder,
} from '../support/public-edge.ts';

const seen = new Set<string>();
let edge: PublicEdge;
beforeAll(async () => {
  edge = await startPublicEdge();
});
beforeEach(() => {
  edge.failWith(null);
  Object.assign(edge.readiness, { database: true, queue: true });
});
afterAll(() => edge.close());

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
}

/** Sends one request and holds the answer to the document. */
async function send({ method = 'POST', path = '/v1/orders', body, key = liveKey, headers }: Sent) {
  const response = await fetch(edge.url + path, {
    method,
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text ? (JSON.parse(text) as Record<string, unknown>) : null,
  };
  expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f-]{36}$/);
  if (path.startsWith('/v1/orders') && method !== 'HEAD')
    seen.add(assertConforms({ ...answer, method, path, body: text }));
  return answer;
}

async function sendOrder(change: Record<string, unknown>, options: Omit<Sent, 'body'> = {}) {
  return send({ body: { ...validOrder(), ...change }, ...options });
}

/** 405 never comes from a verb: the server answers it before any route runs. */
function verbCodes({ errors }: { readonly errors: readonly ErrorCode[] }) {
  return errors.filter((code) => code !== 'method_not_allowed');
}

function errorBody(code: ErrorCode, message: string = ERRORS[code].message) {
  return { success: false, error: code, message };
}

describe('POST /v1/orders', () => {
  test('answers 202 with the order response', async () => {
    const { status, body } = await sendOrder({});
    expect(status).toBe(202);
    expect(body).toEqual({
      success: true,
      order_id: expect.stringMatching(/^ord_/) as unknown,
      status: 'QUEUED',
      estimated_dial_seconds: 2,
    });
  });

  test('hands the domain the fields it knows and drops the others', async () => {
    await sendOrder({
      external_reference_id: 'crm-7',
      lead: { phone: '+12125550001', vip: 1 },
      x: 1,
    });
    const { consent, ...order } = edge.taken.at(-1)?.order ?? {};
    expect(consent).toBeDefined();
    expect(order).toEqual({
      agent_id: 'agt_1',
      external_reference_id: 'crm-7',
      lead: { phone: '+12125550001' },
    });
  });

  test('marks a replay with a header', async () => {
    const headers = { 'idempotency-key': 'replayed-key' };
    const first = await sendOrder({}, { headers });
    const second = await sendOrder({}, { headers });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  describe('checks in the order of the specification', () => {
    const faults = {
      body: '[1]',
      consent: {},
      key: 'svc_live_unknown',
      field: { lead: 7 },
    };

    test('the body before consent and key', async () => {
      const answer = await send({ body: faults.body, key: faults.key });
      expect(answer.body).toEqual(errorBody('invalid_json'));
    });

    test('a missing consent before a wrong key', async () => {
      const answer = await sendOrder({ consent: faults.consent }, { key: faults.key });
      expect(answer.body).toEqual(errorBody('consent_required'));
    });

    test('a reserved source before a wrong key', async () => {
      const { consent } = validOrder();
      const reserved = { ...(consent as object), source: 'manual:desk' };
      const answer = await sendOrder({ consent: reserved }, { key: faults.key });
      expect(answer.body).toEqual(errorBody('invalid_consent_source'));
    });

    test('the key before the fields', async () => {
      const answer = await sendOrder(faults.field, { key: faults.key });
      expect(answer).toMatchObject({ status: 401, body: errorBody('unauthorized') });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    });

    test('the fields before the domain', async () => {
      edge.failWith(refusal('agent_not_found'));
      const answer = await sendOrder(faults.field);
      expect(answer.body).toMatchObject({ error: 'invalid_request' });
    });
  });

  test.each([
    ['nothing', ''],
    ['broken JSON', '{"agent_id":'],
    ['an array', '[{}]'],
    ['a string', '"order"'],
    ['null', 'null'],
    ['more than 64 KB', JSON.stringify({ padding: 'x'.repeat(65_536) })],
  ])('refuses %s as invalid_json', async (_what, body) => {
    const answer = await send({ body });
    expect(answer).toMatchObject({ status: 400, body: errorBody('invalid_json') });
  });

  test('takes a body of exactly 64 KB', async () => {
    const bare = JSON.stringify({ ...validOrder(), padding: '' });
    const body = bare.replace('"padding":""', `"padding":"${'x'.repeat(65_536 - bare.length)}"`);
    expect(body).toHaveLength(65_536);
    expect((await send({ body })).status).toBe(202);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-8',
    ';;;',
  ])('reads JSON whatever Content-Type says (%s)', async (contentType) => {
    const answer = await sendOrder({}, { headers: { 'content-type': contentType } });
    expect(answer.status).toBe(202);
  });

  test.each([
    ['agent_id', { agent_id: undefined }],
    ['agent_id', { agent_id: '' }],
    ['agent_id', { agent_id: 'agt_\u0000' }],
    ['lead', { lead: undefined }],
    ['lead.phone', { lead: {} }],
    ['lead.first_name', { lead: { phone: '+12125550001', first_name: '\ud800' } }],
    ['cadence', { cadence: null }],
    ['cadence', { cadence: [] }],
    ['cadence.max_attempts', { cadence: { max_attempts: 4 } }],
    ['cadence.max_attempts', { cadence: { max_attempts: 0 } }],
    ['cadence.max_attempts', { cadence: { max_attempts: '2' } }],
    ['cadence.retry_interval_minutes', { cadence: { retry_interval_minutes: 4 } }],
    ['cadence.retry_interval_minutes', { cadence: { retry_interval_minutes: 10_081 } }],
    ['cadence.send_sms_on_voicemail', { cadence: { send_sms_on_voicemail: 'false' } }],
    ['webhook_url', { webhook_url: 'http://example.com/hook' }],
    ['webhook_url', { webhook_url: 7 }],
    ['external_reference_id', { external_reference_id: 'x'.repeat(201) }],
    ['consent.source', { consent: { ...(validOrder()['consent'] as object), source: '' } }],
    ['consent.source', { consent: { ...(validOrder()['consent'] as object), source: undefined } }],
    [
      'consent.consented_at',
      { consent: { ...(validOrder()['consent'] as object), consented_at: '2020-01-01T00:00:00Z' } },
    ],
  ])('names the wrong field %s (%#)', async (field, change) => {
    const { status, body } = await sendOrder(change);
    expect({ status, error: body?.['error'] }).toEqual({ status: 400, error: 'invalid_request' });
    expect(body?.['message']).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')}: `));
  });

  test.each([
    ['webhook_url', { webhook_url: null }],
    ['external_reference_id', { external_reference_id: null }],
    [
      'lead.first_name',
      { lead: { phone: '+12125550001', first_name: null, custom_context: null } },
    ],
    ['cadence.max_attempts', { cadence: { max_attempts: null } }],
  ])('takes null in %s as absent', async (_field, change) => {
    expect((await sendOrder(change)).status).toBe(202);
  });

  test('counts characters, not UTF-16 units', async () => {
    expect((await sendOrder({ external_reference_id: '📞'.repeat(200) })).status).toBe(202);
    expect((await sendOrder({ external_reference_id: '📞'.repeat(201) })).status).toBe(400);
  });

  test.each(['', 'two words', 'x'.repeat(201)])('refuses the Idempotency-Key %j', async (key) => {
    const { body } = await sendOrder({}, { headers: { 'idempotency-key': key } });
    expect(body).toMatchObject({ error: 'invalid_request' });
    expect(body?.['message']).toMatch(/^Idempotency-Key: /);
  });

  test.each(verbCodes(createOrder))('passes %s on with its status and message', async (code) => {
    edge.failWith(refusal(code));
    const answer = await sendOrder({});
    expect(answer).toMatchObject({ status: ERRORS[code].status, body: errorBody(code) });
  });

  test('tells when to come back', async () => {
    edge.failWith(refusal('rate_limited', 59.2));
    expect((await sendOrder({})).headers['retry-after']).toBe('60');
  });

  test('turns a code that the operation does not declare into internal_error', async () => {
    edge.failWith(refusal('recording_deleted'));
    expect((await sendOrder({})).body).toEqual(errorBody('internal_error'));
  });

  test('keeps an unknown failure to itself: only the request id links answer and log', async () => {
    edge.failWith(new Error('duplicate key (+12125550001)'));
    const answer = await sendOrder({});
    expect(answer).toMatchObject({ status: 500, body: errorBody('internal_error') });
    const line = edge.logLines.find((text) => text.includes(answer.headers['x-request-id'] ?? '?'));
    expect(line).toContain('createOrder');
    expect(edge.logLines.join('\n')).not.toContain('+1212');
  });

  test('gives a documented answer below 500 to any JSON value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (body) => {
        expect((await send({ body: JSON.stringify(body) })).status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });

  test('gives a documented answer below 500 to any value in any field', async () => {
    const fields = ['agent_id', 'lead', 'cadence', 'webhook_url', 'external_reference_id'];
    const changes = fc.dictionary(fc.constantFrom(...fields), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(changes, async (change) => {
        expect((await sendOrder(change)).status).toBeLessThan(500);
      }),
      { numRuns: 100 },
    );
  });
});

describe('GET /v1/orders/{order_id}', () => {
  const path = `/v1/orders/${orderExample.order_id}`;

  test('answers 200 with the order', async () => {
    expect(await send({ method: 'GET', path })).toMatchObject({ status: 200, body: orderExample });
  });

  test('answers 401 without a valid key', async () => {
    const answer = await send({ method: 'GET', path, key: null });
    expect(answer).toMatchObject({ status: 401, body: errorBody('unauthorized') });
  });

  test.each(['ord_unknown', 'nonsense', '%00', `ord_${'x'.repeat(300)}`])(
    'answers 404 for %s',
    async (id) => {
      const answer = await send({ method: 'GET', path: `/v1/orders/${id}` });
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } });
    },
  );

  test.each(verbCodes(getOrder))('passes %s on with its status and message', async (code) => {
    edge.failWith(refusal(code));
    expect(await send({ method: 'GET', path })).toMatchObject({
      status: ERRORS[code].status,
      body: errorBody(code),
    });
  });
});

describe('methods', () => {
  const allowed = {
    '/v1/orders': 'POST',
    '/v1/orders/ord_1': 'GET',
    '/healthz': 'GET',
    '/openapi.json': 'GET',
  };
  const cases = Object.entries(allowed).flatMap(([path, allow]) =>
    [...METHODS, 'BREW']
      .filter((method) => method !== allow)
      .map((method) => ({ method, path, allow })),
  );

  test.each(cases)(
    '$method $path answers 405 and allows $allow',
    async ({ method, path, allow }) => {
      const answer = await edge.sendRaw(
        `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 1\r\n\r\n{`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toMatch(new RegExp(`\r\nallow: ${allow}\r\n`, 'i'));
      expect(answer).toMatch(/\r\nx-request-id: req_/i);
      expect(answer).toMatch(method === 'HEAD' ? /\r\n\r\n$/ : /"error":"method_not_allowed"/);
    },
  );

  test.each(['/', '/v1', '/v1/order', '/v1/orders/a/b', '/v1/%E0%A4%A'])(
    'any method on %s answers 404',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await fetch(edge.url + path, { method });
        expect(response.status).toBe(404);
        expect(await response.json()).toEqual(errorBody('not_found'));
      }
    },
  );
});

describe('requests that are not HTTP as it should be', () => {
  test.each([
    ['no request line', 'hello\r\n\r\n'],
    [
      'a wrong Content-Length',
      'POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-length: one\r\n\r\n',
    ],
    ['headers without end', `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['no Host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ])('%s is answered in our error shape', async (_what, bytes) => {
    const answer = await edge.sendRaw(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nx-request-id: req_/i);
    expect(answer).toContain('{"success":false,"error":"invalid_request","message":');
  });

  test('invalid UTF-8 is not JSON', async () => {
    const answer = await edge.sendRaw(
      'POST /v1/orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ' +
        '9\r\n\r\n{"a":"\xff"}',
    );
    expect(answer).toContain('"error":"invalid_json"');
  });

  test('an unknown expectation is ignored', async () => {
    const answer = await edge.sendRaw(
      'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: tea\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('the service routes', () => {
  test('say that the process lives', async () => {
    expect(await send({ method: 'GET', path: '/healthz' })).toMatchObject({ status: 200 });
  });

  test('say whether it can do its work, and what is missing', async () => {
    expect((await send({ method: 'GET', path: '/readyz' })).status).toBe(200);
    edge.readiness.queue = false;
    expect(await send({ method: 'GET', path: '/readyz' })).toMatchObject({
      status: 503,
      body: errorBody('unavailable', 'Not ready: queue.'),
    });
  });

  test('publish the document', async () => {
    const { body } = await send({ method: 'GET', path: '/openapi.json' });
    expect(body).toMatchObject({ openapi: '3.1.1' });
  });
});

test('every outcome that the document promises was produced above', async () => {
  for (const path of ['/v1/orders', '/v1/orders/ord_1']) await send({ method: 'PUT', path });
  expect(documentedOutcomes().filter((outcome) => !seen.has(outcome))).toEqual([]);
});
