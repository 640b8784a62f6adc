import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../openapi/errors.ts';
import { orderExample } from '../../openapi/examples.ts';
import { createOrder, getOrder, operations } from '../../openapi/operations.ts';
import { getMe, listAgents, listOrders } from '../../openapi/read-operations.ts';
import { receiveLead } from '../../openapi/lead-operations.ts';
import { getRecording, getRecordingLink } from '../../openapi/recording-operations.ts';
import { conformingOutcomes, documentedOutcomes } from '../support/conformance.ts';
import { goodLinkToken, goodTriggerToken, liveKey } from '../support/memory-verbs.ts';
import { type PublicEdge, refusal, startPublicEdge, validOrder } from '../support/public-edge.ts';

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
    body: isJson(response) ? (JSON.parse(text) as Record<string, unknown>) : null,
  };
  expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f-]{36}$/);
  if (path.startsWith('/v1/') && method !== 'HEAD')
    for (const outcome of conformingOutcomes({ ...answer, method, path, body: text }))
      seen.add(outcome);
  return answer;
}

function isJson({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/json') ?? false;
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

describe.each([
  { operation: listOrders, path: '/v1/orders?limit=1' },
  { operation: getMe, path: '/v1/me' },
  { operation: listAgents, path: '/v1/agents' },
  { operation: getRecording, path: `/v1/recordings/${orderExample.order_id}.mp3` },
  { operation: getRecordingLink, path: `/v1/recordings/${orderExample.order_id}/link` },
])('GET $path', ({ operation, path }) => {
  test('answers 200', async () => {
    expect((await send({ method: 'GET', path })).status).toBe(200);
  });

  test.each(verbCodes(operation))('passes %s on with its status and message', async (code) => {
    edge.failWith(refusal(code));
    const answer = await send({ method: 'GET', path });
    expect(answer).toMatchObject({ status: ERRORS[code].status, body: errorBody(code) });
  });
});

describe('POST /v1/hooks/lead/{token}', () => {
  const path = `/v1/hooks/lead/${goodTriggerToken}`;
  const sendLead = () => send({ path, key: null, body: { phone: '+12125550001' } });

  test('answers 202 without any key', async () => {
    expect((await sendLead()).status).toBe(202);
  });

  test.each(verbCodes(receiveLead))('passes %s on with its status and message', async (code) => {
    edge.failWith(refusal(code));
    expect(await sendLead()).toMatchObject({ status: ERRORS[code].status, body: errorBody(code) });
  });
});

describe('a recording', () => {
  const path = `/v1/recordings/${orderExample.order_id}.mp3`;

  test.each([
    [206, { range: 'bytes=2-5' }],
    [304, { 'if-none-match': '"memory-1"' }],
    [416, { range: 'bytes=1000-' }],
  ])('is answered with %d for %j', async (status, headers) => {
    expect((await send({ method: 'GET', path, headers })).status).toBe(status);
  });

  test('is opened by the token of a link, and by nothing less', async () => {
    const linked = { method: 'GET', path: `${path}?t=${goodLinkToken}`, key: null };
    expect((await send(linked)).status).toBe(200);
    for (const query of ['', '?t=', '?t=bad', `?t=${goodLinkToken}&t=${goodLinkToken}`])
      expect((await send({ ...linked, path: path + query })).status).toBe(404);
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
  for (const { path } of Object.values(operations))
    await send({ method: 'PUT', path: path.replaceAll(/\{\w+\}/g, 'ord_1') });
  expect(documentedOutcomes().filter((outcome) => !seen.has(outcome))).toEqual([]);
});
