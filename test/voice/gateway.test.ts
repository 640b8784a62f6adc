import { describe, expect, test } from 'vitest';
import { turnableClock } from '../../platform/clock.ts';
import { openTestGateway } from './support/test-gateway.ts';

describe('before the upgrade', () => {
  test('a token that is not ours is refused', async () => {
    await using server = await openTestGateway();
    await expect(server.call('somebody-elses-token')).rejects.toThrow('refused with 401');
    expect(server.desk.journal).toEqual([]);
  });

  test('a socket that the carrier did not sign is refused', async () => {
    await using server = await openTestGateway({ gateway: { verifyUpgrade: () => false } });
    await expect(server.call()).rejects.toThrow('refused with 403');
  });

  test('what is signed is the address the carrier was given', async () => {
    const seen: string[] = [];
    await using server = await openTestGateway({
      gateway: { verifyUpgrade: ({ url }) => seen.push(url) > 0 },
    });
    await using caller = await server.call();
    expect(caller.socket.readyState).toBe(caller.socket.OPEN);
    expect(seen).toEqual(['/media/twilio/secret-token']);
  });

  test('no more calls than the limit are let in', async () => {
    await using server = await openTestGateway({ gateway: { limits: { maxCalls: 0 } } });
    await expect(server.call()).rejects.toThrow('refused with 503');
  });

  test('the log tells the reason and never the token', async () => {
    await using server = await openTestGateway({ gateway: { verifyUpgrade: () => false } });
    await expect(server.call('good-as-gold')).rejects.toThrow('refused with 403');
    expect(server.logged()).toContain('media upgrade refused');
    expect(server.logged()).toContain('bad_signature');
    expect(server.logged()).not.toContain('good-as-gold');
  });
});

describe('after the upgrade', () => {
  test('a stream that does not start in five seconds is closed', async () => {
    const clock = turnableClock(new Date('2026-11-21T12:00:00Z'));
    await using server = await openTestGateway({ gateway: { clock } });
    await using caller = await server.call();
    await clock.turn(5_000);
    expect(await caller.closed).toEqual({ code: 4_408, reason: 'start_late' });
  });

  test('a token opens one call only', async () => {
    await using server = await openTestGateway();
    await using first = await server.call();
    first.start();
    await expect.poll(() => server.gateway.activeCalls()).toBe(1);
    await using second = await server.call();
    second.start();
    expect(await second.closed).toEqual({ code: 4_409, reason: 'used' });
    expect(server.gateway.activeCalls()).toBe(1);
    first.stop();
    await server.desk.reported;
  });

  test('a token opens no other call than its own', async () => {
    await using server = await openTestGateway();
    await using caller = await server.call();
    caller.start('CA-of-another-call');
    expect(await caller.closed).toEqual({ code: 4_403, reason: 'other_call' });
    expect(server.logged()).toContain('other_call');
    expect(server.desk.reports).toEqual([]);
  });

  test('audio that is not telephone audio is refused', async () => {
    await using server = await openTestGateway();
    await using caller = await server.call();
    const mediaFormat = { encoding: 'audio/l16', sampleRate: 16_000 };
    const start = { streamSid: 'MZ1', callSid: 'CA1', customParameters: {}, mediaFormat };
    caller.sendRaw(JSON.stringify({ event: 'start', start }));
    expect((await caller.closed).code).toBe(4_415);
    expect(server.desk.journal).toEqual([]);
  });

  test('a message of more than 64 KiB ends the stream', async () => {
    await using server = await openTestGateway();
    await using caller = await server.call();
    caller.sendRaw('x'.repeat(64 * 1_024 + 1));
    expect((await caller.closed).code).toBe(1_009);
  });

  test('a stream of nonsense is closed', async () => {
    await using server = await openTestGateway();
    await using caller = await server.call();
    for (let frames = 0; frames < 25; frames += 1) caller.sendRaw('{"event":');
    expect((await caller.closed).code).toBe(4_400);
  });

  test('who hangs up while the desk decides is reported all the same', async () => {
    await using server = await openTestGateway();
    const admitted = Promise.withResolvers<void>();
    const admit = server.desk.admit.bind(server.desk);
    server.desk.admit = async (token, carrierCallId) => {
      const admission = await admit(token, carrierCallId);
      await admitted.promise;
      return admission;
    };
    const caller = await server.call();
    caller.start();
    caller.stop();
    caller.socket.close();
    await caller.closed;
    admitted.resolve();
    expect(await server.desk.reported).toMatchObject({ endedBy: 'person', personSpoke: false });
    await expect.poll(() => server.gateway.activeCalls()).toBe(0);
  });

  test('a desk that fails closes the stream', async () => {
    await using server = await openTestGateway();
    server.desk.admit = () => Promise.reject(new Error('the database is away'));
    await using caller = await server.call();
    caller.start();
    expect((await caller.closed).code).toBe(1_011);
  });
});

describe('a shutdown', () => {
  test('lets the running call end and takes no other', async () => {
    await using server = await openTestGateway();
    await using caller = await server.call();
    caller.start();
    await expect.poll(() => server.gateway.activeCalls()).toBe(1);
    const closing = server.gateway.close();
    await expect(server.call()).rejects.toThrow('refused with 503');
    const health = `http://127.0.0.1:${server.gateway.port}`;
    expect((await fetch(`${health}/readyz`)).status).toBe(503);
    expect(await (await fetch(`${health}/healthz`)).json()).toMatchObject({ activeCalls: 1 });
    caller.stop();
    await closing;
    expect(server.desk.reports).toHaveLength(1);
  });

  test('ends calls that outlast it, and reports them', async () => {
    await using server = await openTestGateway({ gateway: { limits: { drainMs: 50 } } });
    await using caller = await server.call();
    caller.start();
    await expect.poll(() => server.gateway.activeCalls()).toBe(1);
    await server.gateway.close();
    expect(server.desk.reports).toMatchObject([{ endedBy: 'own_fault' }]);
    expect(server.desk.journal).toContain('hangUp');
  });
});
