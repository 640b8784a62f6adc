import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sendWebhookRequest } from '../../domain/webhooks/send-webhook-request.ts';
import type { WebhookRequest } from '../../domain/webhooks/send-webhook-request.ts';
import { startDnsServer } from './dns-server.ts';
import type { DnsServer } from './dns-server.ts';
import { serveHttp, serveHttps, serveSilence, serveTls, trustedCertificates } from './receivers.ts';
import type { Receiver } from './receivers.ts';

const host = 'hooks.ok-receiver.net';
let dns: DnsServer;
beforeAll(async () => {
  dns = await startDnsServer();
});
afterAll(() => dns.close());

const open: Receiver[] = [];
afterEach(() => open.splice(0).forEach((receiver) => receiver.close()));
async function serve<T extends Receiver>(starting: Promise<T>): Promise<T> {
  const receiver = await starting;
  open.push(receiver);
  dns.set(host, ['127.0.0.1']);
  return receiver;
}

function send(url: string, changes: Partial<WebhookRequest> = {}) {
  return sendWebhookRequest({
    url,
    body: Buffer.from('{"a":"é"}'),
    headers: { 'Content-Type': 'application/json', 'X-Service-Event': 'order.completed' },
    timeoutMs: 2_000,
    // The receivers stand on loopback; everything else is judged as in production.
    allowLocal: true,
    dnsServers: [dns.address],
    trustedCertificates,
    ...changes,
  });
}

const to = (receiver: Receiver, path = '/h') => `https://${host}:${receiver.port}${path}`;

describe('a receiver that behaves', () => {
  test('gets the raw body, the given headers, and its own name as host', async () => {
    let seen: unknown;
    const receiver = await serve(
      serveHttps((request, response) => {
        const { method, url, headers } = request;
        void text(request).then((body) => {
          seen = { method, url, headers, body };
          response.writeHead(204).end();
        });
      }),
    );
    const result = await send(to(receiver, '/a?b=%0d%0aX-Evil:1#fragment'));
    expect(result).toMatchObject({ kind: 'delivered', status: 204 });
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/a?b=%0d%0aX-Evil:1',
      body: '{"a":"é"}',
      headers: {
        host: `${host}:${receiver.port}`,
        'content-type': 'application/json',
        'content-length': '10',
        'x-service-event': 'order.completed',
      },
    });
  });

  test.each([200, 201, 202, 299])('has taken the delivery with status %i', async (status) => {
    const receiver = await serve(
      serveHttps((_, response) => response.writeHead(status, { location: '/elsewhere' }).end()),
    );
    expect(await send(to(receiver))).toMatchObject({ kind: 'delivered', status });
    expect(receiver.hits()).toBe(1);
  });

  test.each([300, 304, 400, 404, 410, 429, 500, 503])(
    'has refused the delivery with status %i',
    async (status) => {
      const receiver = await serve(serveHttps((_, response) => response.writeHead(status).end()));
      expect(await send(to(receiver))).toMatchObject({
        kind: 'failed',
        error: 'bad_status',
        status,
      });
    },
  );

  test.each([301, 302, 303, 307, 308])('is not followed with status %i', async (status) => {
    const inner = await serve(serveHttp((_, response) => response.end()));
    const location = `http://127.0.0.1:${inner.port}/`;
    const receiver = await serve(
      serveHttps((_, response) => response.writeHead(status, { location }).end()),
    );
    expect(await send(to(receiver))).toMatchObject({ error: 'bad_status', status });
    expect(inner.hits()).toBe(0);
  });
});

describe('a URL or address that is not allowed', () => {
  test.each([
    'ftp://hooks.ok-receiver.net/',
    'https://user@hooks.ok-receiver.net/',
    'https://intranet/',
    'nonsense',
  ])('is refused before any lookup: %s', async (url) => {
    const queriesBefore = dns.queries.length;
    expect(await send(url)).toMatchObject({ kind: 'failed', error: 'blocked_url', status: null });
    expect(dns.queries).toHaveLength(queriesBefore);
  });

  test('is http or loopback unless local receivers are allowed', async () => {
    const receiver = await serve(serveHttp((_, response) => response.end()));
    const url = `http://127.0.0.1:${receiver.port}/`;
    expect(await send(url, { allowLocal: false })).toMatchObject({ error: 'blocked_url' });
    expect(receiver.hits()).toBe(0);
    expect(await send(url)).toMatchObject({ kind: 'delivered' });
    expect(await send(url.replace('127.0.0.1', 'localhost'))).toMatchObject({ kind: 'delivered' });
  });

  test('is a name that resolves to loopback, in production', async () => {
    const receiver = await serve(serveHttps((_, response) => response.end()));
    const result = await send(to(receiver), { allowLocal: false });
    expect(result).toMatchObject({ error: 'blocked_address' });
    expect(receiver.hits()).toBe(0);
  });

  test.each([
    ['10.0.0.1'],
    ['100.64.0.1'],
    ['169.254.169.254'],
    ['0.0.0.0'],
    ['::'],
    ['fe80::1'],
    ['::ffff:10.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::'],
    ['8.8.8.8', '10.0.0.1'],
    ['8.8.8.8', 'fd00::1'],
    ['2606:4700::1111', '10.0.0.1'],
    [...Array.from({ length: 20 }, (_, index) => `8.8.8.${index}`), '192.168.0.1'],
  ])('is a name with an answer like %s', async (...addresses) => {
    dns.set(host, addresses);
    expect(await send(`https://${host}/`)).toMatchObject({ error: 'blocked_address' });
  });

  test('is a name that changed its address since the last attempt', async () => {
    const receiver = await serve(serveHttps((_, response) => response.end()));
    expect(await send(to(receiver))).toMatchObject({ kind: 'delivered' });
    dns.set(host, ['10.0.0.1']);
    expect(await send(to(receiver))).toMatchObject({ error: 'blocked_address' });
    expect(receiver.hits()).toBe(1);
  });
});

describe('name lookup', () => {
  test('happens once per attempt, for both families', async () => {
    const receiver = await serve(serveHttps((_, response) => response.end()));
    const queriesBefore = dns.queries.length;
    await send(to(receiver));
    const asked = dns.queries.slice(queriesBefore).toSorted();
    expect(asked).toEqual([`A ${host}`, `AAAA ${host}`]);
  });

  test.each(['no_such_name', 'server_failure', []] as const)(
    'that answers %j is a failed attempt',
    async (answer) => {
      dns.set(host, answer);
      expect(await send(`https://${host}/`)).toMatchObject({ error: 'dns_error', status: null });
    },
  );

  test('that never answers is cut off by the wall clock', async () => {
    dns.set(host, 'silence');
    const result = await send(`https://${host}/`, { timeoutMs: 300 });
    expect(result).toMatchObject({ error: 'timeout' });
  });

  test('tries the second address when the first refuses the connection', async () => {
    const receiver = await serve(serveHttps((_, response) => response.end()));
    dns.set(host, ['127.0.0.9', '127.0.0.1']);
    expect(await send(to(receiver))).toMatchObject({ kind: 'delivered' });
  });
});

describe('a certificate', () => {
  test('for another name stops the attempt before the body is sent', async () => {
    const receiver = await serve(serveHttps((_, response) => response.end(), 'other'));
    expect(await send(to(receiver))).toMatchObject({ error: 'tls_error' });
    expect(receiver.hits()).toBe(0);
  });

  test('that nobody trusts stops the attempt', async () => {
    const receiver = await serve(serveHttps((_, response) => response.end()));
    const result = await send(to(receiver), { trustedCertificates: [] });
    expect(result).toMatchObject({ error: 'tls_error' });
  });

  test('for an address serves a URL with that address', async () => {
    const receiver = await serve(serveHttps((_, response) => response.end(), 'address'));
    const result = await send(`https://127.0.0.1:${receiver.port}/`);
    expect(result).toMatchObject({ kind: 'delivered' });
  });
});

describe('a receiver that misbehaves', () => {
  test('by refusing the connection is a connection error', async () => {
    const receiver = await serve(serveSilence());
    receiver.close();
    expect(await send(to(receiver))).toMatchObject({ error: 'connect_error', status: null });
  });

  test('by never speaking TLS is cut off by the wall clock', async () => {
    const result = await send(to(await serve(serveSilence())), { timeoutMs: 300 });
    expect(result).toMatchObject({ error: 'timeout' });
  });

  test('by never answering is cut off by the wall clock', async () => {
    const receiver = await serve(serveHttps(() => undefined));
    expect(await send(to(receiver), { timeoutMs: 400 })).toMatchObject({ error: 'timeout' });
  });

  test('by dripping headers is cut off by the wall clock', async () => {
    const receiver = await serve(
      serveTls((socket) => {
        const drip = setInterval(() => socket.write('x'), 20);
        socket.write('HTTP/1.1 200 OK\r\nX: ');
        socket.on('close', () => clearInterval(drip));
      }),
    );
    expect(await send(to(receiver), { timeoutMs: 400 })).toMatchObject({ error: 'timeout' });
  });

  const early = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20);
  const long = `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`;
  test.each([
    ['informational answers without end', early],
    ['other bytes than HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['headers without end', long],
  ])('by sending %s has answered badly', async (_, bytes) => {
    const receiver = await serve(serveTls((socket) => void socket.write(bytes)));
    expect(await send(to(receiver))).toMatchObject({ error: 'bad_response', status: null });
  });

  test('by switching protocols has refused the delivery', async () => {
    const bytes = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
    const receiver = await serve(serveTls((socket) => void socket.write(bytes)));
    expect(await send(to(receiver))).toMatchObject({ error: 'bad_status', status: 101 });
  });

  test('by closing before it answers has lost the connection', async () => {
    const receiver = await serve(serveTls((socket) => socket.once('data', () => socket.destroy())));
    expect(await send(to(receiver))).toMatchObject({ error: 'connection_lost', status: null });
  });

  test.each([
    ['without end', (write: (bytes: string) => void) => setInterval(write, 1, 'x'.repeat(65_536))],
    ['drop by drop', (write: (bytes: string) => void) => setInterval(write, 50, 'x')],
  ])('by sending a body %s has still taken the delivery', async (_, start) => {
    const closed = Promise.withResolvers<void>();
    const receiver = await serve(
      serveHttps((_request, response) => {
        response.writeHead(200);
        const timer = start((bytes) => void response.write(bytes));
        response.on('close', () => {
          clearInterval(timer);
          closed.resolve();
        });
      }),
    );
    expect(await send(to(receiver))).toMatchObject({ kind: 'delivered', status: 200 });
    await closed.promise;
  });

  test('by resetting after its status has still taken the delivery', async () => {
    const receiver = await serve(
      serveTls((socket) => {
        const bytes = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab';
        socket.once('data', () => socket.write(bytes, () => socket.destroy()));
      }),
    );
    expect(await send(to(receiver))).toMatchObject({ kind: 'delivered', status: 200 });
  });
});
