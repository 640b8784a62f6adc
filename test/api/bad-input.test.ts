// Input that nobody should send: answered in our shape, logged without its content, and survived.
// What the edge alone refuses is in test/contract/; here it meets the whole system.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/log.ts';
import { startServer } from '../../server/start-server.ts';
import { assertConforms } from '../support/conformance.ts';
import { createWorkspace, orderBody, type TestWorkspace } from '../support/factories.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';
import { createTriggerUrl } from '../support/trigger-url.ts';

/** Stands in every body, header and path below; it must never be logged. */
const secret = 'PRIVATE-WORDS';
const phone = '+12125550177';

let system: TestContext;
let server: Awaited<ReturnType<typeof startServer>>;
let workspace: TestWorkspace;
let token: string;
const logged: string[] = [];

beforeAll(async () => {
  system = await createTestContext({ clock: systemClock() });
  const sink = { write: (line: string) => void logged.push(line) };
  const log = createLogger({ level: 'trace', process: 'server', sink });
  server = await startServer({ ...system.ctx, log }, { port: 0 });
});
afterAll(async () => {
  await server.stop();
  await system.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(system.ctx);
  ({ token } = await createTriggerUrl(system.ctx, workspace));
});

interface Sent {
  readonly path: string;
  readonly body: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

async function post({ path, body, headers }: Sent) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${workspace.testKey}`,
      ...headers,
    },
    body: Buffer.from(body),
  });
  const text = await response.text();
  const answerHeaders = Object.fromEntries(response.headers);
  assertConforms({
    method: 'POST',
    path,
    status: response.status,
    headers: answerHeaders,
    body: text,
  });
  return {
    status: response.status,
    body: JSON.parse(text) as { error?: string; order_id?: string },
  };
}

const nested = (open: string, close: string, depth: number) =>
  `${open.repeat(depth)}"${secret}"${close.repeat(depth)}`;

const bodies: Record<string, () => string | Uint8Array> = {
  'broken JSON': () => `{"lead":"${secret}"`,
  'a lone surrogate': () => `{"agent_id":"\\ud800${secret}"}`,
  'NUL in a field': () => `{"agent_id":"\\u0000${secret}"}`,
  'invalid UTF-8': () => Buffer.concat([Buffer.from(`{"a":"${secret}`), Buffer.from([0xff, 0xfe])]),
  'a byte order mark': () => `\ufeff{"agent_id":"${secret}"}`,
  'arrays nested 30,000 deep': () => nested('[', ']', 30_000),
  'objects nested 9,000 deep': () => nested('{"a":', '}', 9_000),
  'a lead nested 9,000 deep': () => `{"lead":${nested('{"a":', '}', 9_000)}}`,
  '60,000 digits': () => `{"agent_id":${'9'.repeat(60_000)}}`,
  '6,000 keys': () =>
    `{${Array.from({ length: 6_000 }, (_, key) => `"k${key}":1`).join()},"x":"${secret}"}`,
  'the same key twice': () => `{"agent_id":"${secret}","agent_id":7}`,
  'far too much': () => JSON.stringify({ x: secret.repeat(1_000_000) }),
  'nothing at all': () => '',
};

describe.each([
  ['an order', () => '/v1/orders'],
  ['a lead', () => `/v1/hooks/lead/${token}`],
])('as %s', (_what, pathOf) => {
  it.each(Object.entries(bodies))('%s is refused in our shape', async (_name, make) => {
    const { status } = await post({ path: pathOf(), body: make() });
    expect(status).toBe(400);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'application/json; charset=utf-16',
    'image/png',
    ';;;=',
  ])('bytes that are not what Content-Type %s says are refused', async (contentType) => {
    const body = Buffer.from([0x00, 0xff, 0x25, 0x26, 0x3d, 0x0d, 0x0a]);
    const headers = { 'content-type': contentType };
    expect((await post({ path: pathOf(), body, headers })).status).toBe(400);
  });
});

describe('__proto__', () => {
  it('in a body is a field like any other and changes nothing', async () => {
    const order = JSON.stringify(orderBody(workspace));
    const poison = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
    const body = order.replace('{', `{${poison},`).replace('"lead":{', `"lead":{${poison},`);
    expect((await post({ path: '/v1/orders', body })).status).toBe(202);
    const lead = `{${poison},"phone":"${phone}","is_test":true}`;
    expect((await post({ path: `/v1/hooks/lead/${token}`, body: lead })).status).toBe(202);
    const form = `__proto__[polluted]=1&constructor.prototype.polluted=1&phone=%2B12125550178&is_test=true`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await post({ path: `/v1/hooks/lead/${token}`, body: form, headers });
    expect({}).not.toHaveProperty('polluted');
  });

  it('in a path or a query finds nothing', async () => {
    for (const path of [
      '/v1/orders/__proto__',
      '/v1/recordings/__proto__.mp3',
      '/v1/orders/constructor',
    ]) {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        headers: { authorization: `Bearer ${workspace.liveKey}` },
      });
      expect(response.status).toBe(404);
    }
    const list = await fetch(
      `http://127.0.0.1:${server.port}/v1/orders?__proto__=x&constructor=y`,
      {
        headers: { authorization: `Bearer ${workspace.liveKey}` },
      },
    );
    expect(list.status).toBe(200);
  });
});

describe('the request itself', () => {
  async function sendRaw(bytes: string): Promise<string> {
    const socket = connect(server.port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    // A server that refuses early may cut the rest of what is sent.
    socket.on('error', () => {});
    socket.write(bytes, 'latin1');
    await once(socket, 'close');
    return answer;
  }

  it('may carry 10 KB of headers', async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/v1/me`, {
      headers: { authorization: `Bearer ${workspace.liveKey}`, 'x-long': secret.repeat(800) },
    });
    expect(response.status).toBe(200);
  });

  it.each([
    ['malformed percent-encoding', `GET /v1/orders/%E0%A4%A${secret} HTTP/1.1`, 404],
    ['a NUL in the path', `GET /v1/orders/%00${secret} HTTP/1.1`, 401],
    ['dots in the path', `GET /v1/orders/..%2f..%2f${secret} HTTP/1.1`, 401],
    ['an absolute address', `GET http://example.com/${secret} HTTP/1.1`, 404],
    ['a long path', `GET /v1/orders/${secret.repeat(500)} HTTP/1.1`, 404],
    ['an unknown verb', `BREW /v1/orders HTTP/1.1`, 405],
    ['CONNECT', 'CONNECT /v1/orders HTTP/1.1', 405],
    ['CONNECT to elsewhere', 'CONNECT example.com:443 HTTP/1.1', 404],
    ['another protocol', `${secret} this is not HTTP`, 400],
  ])('%s is answered in our shape', async (_what, line, status) => {
    const answer = await sendRaw(`${line}\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\nx-request-id: req_/i);
    expect(answer).toContain('{"success":false,"error":"');
  });

  it.each([
    ['a length and chunks', 'content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'content-length: 5\r\ncontent-length: 6\r\n\r\n{"a":'],
    ['broken chunks', 'transfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n'],
  ])('%s is answered in our shape', async (_what, rest) => {
    const answer = await sendRaw(
      `POST /v1/orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${rest}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"success":false,"error":"invalid_');
  });

  it('that is left half-way leaves nothing behind', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const head = 'POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n';
    socket.write(`${head}{"lead":"${secret}`);
    await once(socket, 'connect');
    socket.resetAndDestroy();
    expect((await post({ path: '/v1/orders', body: '{' })).status).toBe(400);
  });
});

it('after all of it the process lives, and no log line holds what was sent', async () => {
  expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200);
  const body = JSON.stringify(orderBody(workspace, { lead: { phone, first_name: secret } }));
  expect((await post({ path: '/v1/orders', body })).status).toBe(202);
  const all = logged.join('\n');
  expect(logged.length).toBeGreaterThan(20);
  for (const word of [secret, phone, phone.slice(2), workspace.liveKey, workspace.testKey, token])
    expect(all).not.toContain(word);
});
