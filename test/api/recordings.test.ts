// GET /v1/recordings/...: each row of the Errors table, links, ranges, and what a failing store does.
import { get } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RecordingStore } from '../../domain/calls/recording-store.ts';
import type { Context } from '../../domain/context.ts';
import { systemClock } from '../../platform/clock.ts';
import { startServer } from '../../server/start-server.ts';
import { assertConforms } from '../support/conformance.ts';
import { createWorkspace, type TestWorkspace } from '../support/factories.ts';
import { createOrderRow, recordAttempt } from '../support/recorded-order.ts';
import { createTestContext, type TestContext } from '../support/test-context.ts';

const audio = Buffer.from(Array.from({ length: 200_000 }, (_value, index) => index % 251));

let system: TestContext;
let ctx: Context;
let server: Awaited<ReturnType<typeof startServer>>;
let workspace: TestWorkspace;
let orderId: string;
let clockOffsetMs = 0;
let storeFault: RecordingStore['open'] | null = null;

beforeAll(async () => {
  const clock = systemClock();
  const turned = { ...clock, now: () => new Date(clock.now().getTime() + clockOffsetMs) };
  system = await createTestContext({ clock: turned });
  const { recordings: store } = system.ctx;
  const open: RecordingStore['open'] = (key, range) =>
    storeFault ? storeFault(key, range) : store.open(key, range);
  ctx = { ...system.ctx, recordings: { ...store, open } };
  server = await startServer(ctx, { port: 0 });
});
afterAll(async () => {
  await server.stop();
  await system.close();
});
beforeEach(async () => {
  workspace = await createWorkspace(ctx);
  orderId = await createOrderRow(ctx, workspace);
});
afterEach(() => {
  clockOffsetMs = 0;
  storeFault = null;
});

async function ask(path: string, headers: Record<string, string> = {}, key = workspace.testKey) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers },
  });
  const octets = Buffer.from(await response.arrayBuffer());
  const answer = { status: response.status, headers: Object.fromEntries(response.headers) };
  assertConforms({ ...answer, method: 'GET', path, body: octets.toString('latin1') });
  return { ...answer, octets };
}

const mp3 = () => `/v1/recordings/${orderId}.mp3`;

async function expectError(path: string, status: number, error: string, key?: string) {
  const answer = await ask(path, {}, key);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.octets.toString())).toMatchObject({ success: false, error });
}

interface Link {
  readonly url: string;
  readonly expires_at: string;
}

async function makeLink(): Promise<Link & { path: string }> {
  const { octets } = await ask(`/v1/recordings/${orderId}/link`);
  const link = JSON.parse(octets.toString()) as Link;
  const { pathname, search } = new URL(link.url);
  return { ...link, path: pathname + search };
}

describe('the audio', () => {
  it('is the MP3 of the last recorded attempt', async () => {
    const earlier = new Date(ctx.clock.now().getTime() - 3_600_000);
    await recordAttempt(ctx, workspace, {
      orderId,
      audio: Buffer.from('first'),
      createdAt: earlier,
    });
    await recordAttempt(ctx, workspace, { orderId, number: 2, audio });
    const answer = await ask(mp3());
    expect(answer.status).toBe(200);
    expect(answer.octets.equals(audio)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(audio.length),
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[\w-]+"$/) as unknown,
    });
  });

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, audio.length - 1],
    ['bytes=-50', audio.length - 50, audio.length - 1],
    ['bytes=0-99999999', 0, audio.length - 1],
    ['bytes=-99999999', 0, audio.length - 1],
  ])('206 for the range %s', async (range, from, to) => {
    await recordAttempt(ctx, workspace, { orderId, audio });
    const answer = await ask(mp3(), { range });
    expect(answer.status).toBe(206);
    expect(answer.headers['content-range']).toBe(`bytes ${from}-${to}/${audio.length}`);
    expect(answer.headers['content-length']).toBe(String(to - from + 1));
    expect(answer.octets.equals(audio.subarray(from, to + 1))).toBe(true);
  });

  it.each(['bytes=0-1,5-6', 'bytes=9-2', 'bytes=a-b', 'pages=1-2', 'bytes=-'])(
    'the whole file for %s',
    async (range) => {
      await recordAttempt(ctx, workspace, { orderId, audio });
      const answer = await ask(mp3(), { range });
      expect(answer.status).toBe(200);
      expect(answer.octets.length).toBe(audio.length);
    },
  );

  it.each(['bytes=200000-', 'bytes=99999999999999999999-', 'bytes=-0'])(
    '416 for %s, with the size',
    async (range) => {
      await recordAttempt(ctx, workspace, { orderId, audio });
      const answer = await ask(mp3(), { range });
      expect(answer.status).toBe(416);
      expect(answer.headers['content-range']).toBe(`bytes */${audio.length}`);
    },
  );

  it('304 when the client holds it, and If-Range guards a range', async () => {
    const { key } = await recordAttempt(ctx, workspace, { orderId, audio });
    const { etag = '' } = (await ask(mp3())).headers;
    const held = await ask(mp3(), { 'if-none-match': `"other", W/${etag}` });
    expect(held).toMatchObject({ status: 304, headers: { etag } });
    const same = { range: 'bytes=0-9', 'if-range': etag };
    expect((await ask(mp3(), same)).status).toBe(206);
    await ctx.recordings.put(key, Buffer.concat([audio, audio]));
    expect((await ask(mp3(), same)).status).toBe(200);
    expect((await ask(mp3(), { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('404 not_found', () => {
  it('without a valid key, on both paths', async () => {
    await recordAttempt(ctx, workspace, { orderId, audio });
    for (const key of ['', 'svc_live_wrong', `svc_live_${'a'.repeat(40)}`])
      for (const path of [mp3(), `/v1/recordings/${orderId}/link`])
        await expectError(path, 404, 'not_found', key);
  });

  it("for another workspace's order", async () => {
    await recordAttempt(ctx, workspace, { orderId, audio });
    const { liveKey } = await createWorkspace(ctx);
    await expectError(mp3(), 404, 'not_found', liveKey);
    await expectError(`/v1/recordings/${orderId}/link`, 404, 'not_found', liveKey);
  });

  it('for an unknown order and for a call without a recording', async () => {
    await expectError(mp3(), 404, 'not_found');
    await expectError('/v1/recordings/ord_unknown.mp3', 404, 'not_found');
    await expectError('/v1/recordings/a%2Fb.mp3', 404, 'not_found');
    await expectError(`/v1/recordings/${orderId}/link`, 404, 'not_found');
  });
});

describe('410 recording_deleted', () => {
  it('on both paths', async () => {
    await recordAttempt(ctx, workspace, { orderId, state: 'deleted' });
    await expectError(mp3(), 410, 'recording_deleted');
    await expectError(`/v1/recordings/${orderId}/link`, 410, 'recording_deleted');
  });
});

describe('502 recording_unavailable', () => {
  it('while the recording is not mixed yet', async () => {
    await recordAttempt(ctx, workspace, { orderId, state: 'raw' });
    await expectError(mp3(), 502, 'recording_unavailable');
  });

  it('when the store has lost it, refuses, or fails before the first octet', async () => {
    await recordAttempt(ctx, workspace, { orderId });
    await expectError(mp3(), 502, 'recording_unavailable');
    storeFault = async () => ({ kind: 'unavailable' });
    await expectError(mp3(), 502, 'recording_unavailable');
    storeFault = async () => brokenAfter(0);
    await expectError(mp3(), 502, 'recording_unavailable');
  });

  it('when the recordings cannot be looked up', async () => {
    await withoutRecordings(async () => {
      await expectError(mp3(), 502, 'recording_unavailable');
    });
  });

  it.each(['fails', 'ends early'])('cuts the connection when the store %s midway', async (how) => {
    await recordAttempt(ctx, workspace, { orderId, audio });
    storeFault = async () => brokenAfter(70_000, how === 'fails');
    const { port } = server;
    const headers = { authorization: `Bearer ${workspace.liveKey}` };
    const ending = await new Promise<string>((resolve, reject) => {
      get({ port, path: mp3(), headers }, (response) => {
        response.resume();
        response.on('end', () => resolve('end'));
        response.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? ''));
      }).on('error', reject);
    });
    expect(ending).toBe('ECONNRESET');
  });
});

describe('the link', () => {
  it('plays without a key for 15 minutes, and only its own order', async () => {
    await recordAttempt(ctx, workspace, { orderId, audio });
    const before = ctx.clock.now().getTime();
    const link = await makeLink();
    expect(Date.parse(link.expires_at) - before).toBeGreaterThanOrEqual(900_000);
    expect(Date.parse(link.expires_at) - before).toBeLessThan(905_000);
    expect((await ask(link.path, { range: 'bytes=0-9' }, '')).status).toBe(206);

    const other = await createOrderRow(ctx, workspace);
    await recordAttempt(ctx, workspace, { orderId: other, audio });
    await expectError(link.path.replace(orderId, other), 404, 'not_found', '');
    await expectError(`${link.path}x`, 404, 'not_found', '');
    await expectError(`${link.path}&t=x`, 404, 'not_found', '');
    await expectError(link.path.replace('?t=', '?t=e'), 404, 'not_found', '');

    clockOffsetMs = 899_000;
    expect((await ask(link.path, {}, '')).status).toBe(200);
    clockOffsetMs = 906_000;
    await expectError(link.path, 404, 'not_found', '');
  });

  it('does not hide behind a bad token: a good key still opens', async () => {
    await recordAttempt(ctx, workspace, { orderId, audio });
    expect((await ask(`${mp3()}?t=nonsense`)).status).toBe(200);
  });

  it('makes no link: a token is no key', async () => {
    await recordAttempt(ctx, workspace, { orderId, audio });
    const { search } = new URL((await makeLink()).url);
    await expectError(`/v1/recordings/${orderId}/link${search}`, 404, 'not_found', '');
  });

  it('503 unavailable when the recordings cannot be read', async () => {
    await withoutRecordings(async () => {
      await expectError(`/v1/recordings/${orderId}/link`, 503, 'unavailable');
    });
  });

  it('503 unavailable when there is no secret to sign with', async () => {
    await recordAttempt(ctx, workspace, { orderId, audio });
    const bare = await startServer({ ...ctx, appSecret: '' }, { port: 0 });
    try {
      const response = await fetch(`http://127.0.0.1:${bare.port}/v1/recordings/${orderId}/link`, {
        headers: { authorization: `Bearer ${workspace.liveKey}` },
      });
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: 'unavailable' });
    } finally {
      await bare.stop();
    }
  });
});

describe('405 method_not_allowed', () => {
  it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])('%s, with Allow', async (method) => {
    for (const path of [mp3(), `/v1/recordings/${orderId}/link`]) {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET');
    }
  });
});

async function withoutRecordings(run: () => Promise<void>) {
  await ctx.db`alter table recordings rename to recordings_away`;
  try {
    await run();
  } finally {
    await ctx.db`alter table recordings_away rename to recordings`;
  }
}

/** A stored recording whose stream gives so many octets and then fails, or just ends. */
function brokenAfter(sizeBytes: number, fails = true) {
  async function* octets() {
    if (sizeBytes > 0) yield audio.subarray(0, sizeBytes);
    await new Promise((resolve) => setImmediate(resolve));
    if (fails) throw new Error('the disk is gone');
  }
  const stream = Readable.from(octets());
  return { kind: 'found' as const, stream, sizeBytes: audio.length, etag: '"broken"' };
}
