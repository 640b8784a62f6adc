// The published form of the SDK: small, alone, and at home wherever there is fetch.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const entry = new URL('../../sdk/src/index.ts', import.meta.url).pathname;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sdk-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function bundle(platform: 'browser' | 'neutral' | 'node', minify: boolean) {
  const build = await rolldown({ input: entry, platform });
  const { output } = await build.generate({ format: 'esm', minify });
  await build.close();
  const [chunk] = output;
  return chunk;
}

test('is under 12 KB in all, gzipped', async () => {
  const { code } = await bundle('browser', true);
  expect(gzipSync(code).length).toBeLessThan(12_000);
});

test.each(['browser', 'neutral'] as const)(
  'builds for %s without a single import',
  async (platform) => {
    const { code, imports, dynamicImports } = await bundle(platform, false);
    expect([...imports, ...dynamicImports]).toEqual([]);
    expect(code).not.toMatch(/\brequire\(|["']node:|\bprocess\.|\bBuffer\b/);
  },
);

test('depends on nothing', async () => {
  const path = new URL('../../sdk/package.json', import.meta.url);
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
});

/** Each Node on the PATH once; the other releases stand beside ours when a machine has them. */
function findNodes(): string[] {
  const folders = [...new Set((process.env['PATH'] ?? '').split(delimiter))];
  return folders.map((path) => join(path, 'node')).filter((path) => existsSync(path));
}

const probe = `
import { createClient, webhooks, ApiError } from './sdk.js';
const client = createClient({ apiKey: 'svc_test_x', baseUrl: process.argv[2], retryDelayMs: 1 });
const { order_id } = await client.orders.create({ agent_id: 'a' });
const secret = 'whsec_probe';
const body = JSON.stringify({ event: 'order.completed', order_id });
const header = await webhooks.signForTest(body, secret);
const event = await webhooks.unwrap(body, new Headers({ 'X-Service-Signature': header }), secret);
const refused = await client.orders
  .get('none')
  .catch((error) => error instanceof ApiError && error.code);
console.log(JSON.stringify({ order_id, event: event.event, refused }));
`;

describe('the bundle at work', () => {
  test.each(findNodes())('%s', async (node) => {
    const { code } = await bundle('neutral', false);
    await writeFile(join(folder, 'sdk.js'), code);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'probe.js'), probe);
    let asked = 0;
    const server = createServer((request, response) => {
      asked += 1;
      request.resume();
      const [status, body] =
        request.method === 'GET'
          ? [404, { success: false, error: 'not_found', message: 'x' }]
          : asked === 1
            ? [500, { success: false, error: 'internal_error', message: 'x' }]
            : [202, { success: true, order_id: 'ord_1' }];
      response.writeHead(Number(status)).end(JSON.stringify(body));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const run = promisify(execFile)(node, [join(folder, 'probe.js'), `http://127.0.0.1:${port}`]);
    const { stdout } = await run.finally(() => server.close());
    expect(JSON.parse(stdout)).toEqual({
      order_id: 'ord_1',
      event: 'order.completed',
      refused: 'not_found',
    });
  });
});
