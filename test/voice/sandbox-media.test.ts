import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mulawSilence } from '../../platform/mulaw.ts';
import { openCustomer, streamTwiml } from './support/sandbox-customer.ts';
import type { Customer, ReceivedStream, StreamMessage } from './support/sandbox-customer.ts';

let customer: Customer;
beforeAll(async () => {
  customer = await openCustomer();
});
afterAll(() => customer[Symbol.asyncDispose]());

describe('a media stream', () => {
  test.concurrent(
    'opens signed, introduces itself, and sends numbered frames of 20 ms',
    async () => {
      const { stream, sid } = await answeredCall('+12125550401');
      expect(stream.isSigned).toBe(true);
      await mediaFrame(stream, 100);
      const [connected, start, ...media] = stream.messages.items;
      expect(connected).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
      expect(start).toMatchObject({
        event: 'start',
        sequenceNumber: '1',
        streamSid: expect.stringMatching(/^MZ[0-9a-f]{32}$/) as unknown,
        start: {
          callSid: sid,
          tracks: ['inbound'],
          mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
          customParameters: { attempt: 'a & b' },
        },
      });
      for (const [index, message] of media.slice(0, 100).entries()) {
        expect(message).toMatchObject({
          event: 'media',
          sequenceNumber: `${index + 2}`,
          media: { track: 'inbound', chunk: `${index + 1}`, timestamp: `${index * 20}` },
        });
        expect(audioOf(message)).toHaveLength(160);
      }
    },
  );

  test.concurrent('keeps time: two seconds of audio are never sent in less', async () => {
    const { stream } = await answeredCall('+12125550402');
    await mediaFrame(stream, 1);
    const startedMs = performance.now();
    await mediaFrame(stream, 101);
    // One frame of slack; how much longer it takes is the machine's business.
    expect(performance.now() - startedMs).toBeGreaterThan(1_900);
  });

  test.concurrent(
    'a mark comes back at once when nothing waits, else when it was played',
    async () => {
      const { stream } = await answeredCall('+12125550403');
      stream.send('mark', { mark: { name: 'now' } });
      await markOf(stream, 'now');
      const before = framesUntil(stream, 'now');
      stream.send('media', { media: { payload: audio(600) } });
      stream.send('mark', { mark: { name: 'first' } });
      stream.send('media', { media: { payload: audio(400) } });
      stream.send('mark', { mark: { name: 'second' } });
      await markOf(stream, 'second');
      expect(framesUntil(stream, 'first') - before).toBeGreaterThanOrEqual(29);
      expect(framesUntil(stream, 'second') - framesUntil(stream, 'first')).toBe(20);
    },
  );

  test.concurrent('clear gives every mark back and what waited is never heard', async () => {
    const { stream } = await answeredCall('+12125550404');
    stream.send('media', { media: { payload: audio(60_000) } });
    for (const name of ['a', 'b']) stream.send('mark', { mark: { name } });
    stream.send('clear');
    stream.send('mark', { mark: { name: 'c' } });
    await markOf(stream, 'c');
    expect(framesUntil(stream, 'c')).toBeLessThan(500);
    const marks = stream.messages.items.filter(({ event }) => event === 'mark');
    expect(marks.map(({ mark }) => mark)).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
  });

  test.concurrent('keys that are pressed arrive one by one', async () => {
    const { stream, sid } = await answeredCall('+12125550405');
    expect((await customer.control(`calls/${sid}/dtmf`, { digits: '1#' })).status).toBe(204);
    await stream.messages.first(({ dtmf }) => JSON.stringify(dtmf ?? '').includes('#'));
    const pressed = stream.messages.items.filter(({ event }) => event === 'dtmf');
    expect(pressed.map(({ dtmf }) => dtmf)).toEqual([
      { track: 'inbound_track', digit: '1' },
      { track: 'inbound_track', digit: '#' },
    ]);
  });

  test.concurrent('hanging up says stop, then closes', async () => {
    const { stream, sid } = await answeredCall('+12125550406');
    await customer.client.calls(sid).update({ status: 'completed' });
    await stream.closed;
    expect(stream.messages.items.at(-1)).toMatchObject({ event: 'stop', stop: { callSid: sid } });
  });

  test.concurrent('what it does not understand is warned of once and changes nothing', async () => {
    const { stream, sid } = await answeredCall('+12125550407');
    stream.socket.send('not json');
    stream.send('dance');
    stream.send('mark', { mark: { name: 'x' }, extra: true });
    stream.socket.send(JSON.stringify({ event: 'clear', streamSid: 'MZ0' }));
    stream.send('mark', { mark: { name: 'still here' } });
    await markOf(stream, 'still here');
    expect((await inspect(sid)).warnings).toEqual([expect.objectContaining({ code: 31_951 })]);
  });

  test.concurrent('our closing goes on with the document', async () => {
    const secondStream = `<Stream url="${customer.media.url}/again"/>`;
    const again = `<Pause length="1"/><Connect>${secondStream}</Connect>`;
    const { stream, sid } = await answeredCall('+12125550408', { afterwards: again });
    stream.socket.close();
    const second = await customer.media.inbox.first(({ path }) => path === '/again');
    await second.messages.first(({ event }) => event === 'start');
    second.socket.close();
    expect((await ended(sid)).isSigned).toBe(true);
  });

  test.concurrent('a call lasts no longer than its limit', async () => {
    const { stream, sid } = await answeredCall('+12125550409', { timeLimit: 1 });
    await stream.closed;
    expect((await ended(sid)).fields['CallDuration']).toBe('1');
  });

  test.concurrent('a server that refuses the socket is passed over', async () => {
    const nowhere = streamTwiml('ws://127.0.0.1:9/nobody');
    const sid = await place('+12125550410', nowhere);
    await ended(sid);
    expect((await inspect(sid)).warnings).toEqual([expect.objectContaining({ code: 31_901 })]);
  });
});

describe('the document that runs a call', () => {
  test.concurrent('can be fetched with a signed request', async () => {
    const path = '/twiml?call=1';
    const body = streamTwiml(`${customer.media.url}/fetched`);
    customer.callbacks.answerWith((asked) => ({ status: 200, body: asked === path ? body : '' }));
    const { sid } = await customer.client.calls.create({
      to: '+12125550421',
      from: '+12025550100',
      url: customer.callbacks.url + path,
    });
    await customer.media.inbox.first((stream) => stream.path === '/fetched');
    const asked = await customer.callbacks.inbox.first((each) => each.path === path);
    expect(asked).toMatchObject({
      isSigned: true,
      fields: { CallSid: sid, CallStatus: 'in-progress' },
    });
  });

  test.concurrent('that is broken ends the call', async () => {
    const sid = await place('+12125550422', '<Response><Connect></Response>');
    await ended(sid);
    expect((await inspect(sid)).warnings).toEqual([expect.objectContaining({ code: 12_100 })]);
  });
});

async function answeredCall(
  to: string,
  { afterwards = '<Hangup/>', ...options }: { afterwards?: string; timeLimit?: number } = {},
) {
  const path = `/media/${to}`;
  const sid = await place(to, streamTwiml(customer.media.url + path, afterwards), options);
  const stream = await customer.media.inbox.first((each) => each.path === path);
  await stream.messages.first(({ event }) => event === 'start');
  return { sid, stream };
}

async function place(to: string, twiml: string, options: object = {}): Promise<string> {
  const statusCallback = `${customer.callbacks.url}/status`;
  const from = '+12025550100';
  return (await customer.client.calls.create({ to, from, twiml, statusCallback, ...options })).sid;
}

function ended(sid: string) {
  return customer.callbacks.inbox.first(
    ({ fields }) => fields['CallSid'] === sid && fields['CallStatus'] === 'completed',
  );
}

async function inspect(sid: string) {
  const response = await fetch(`${customer.sandbox.url}/sandbox/calls`);
  // The control API's own answer.
  const { calls } = (await response.json()) as { calls: { sid: string; warnings: object[] }[] };
  return calls.find((call) => call.sid === sid) ?? { warnings: [] };
}

function mediaFrame(stream: ReceivedStream, chunk: number): Promise<StreamMessage> {
  return stream.messages.first(({ media }) =>
    JSON.stringify(media ?? '').includes(`k":"${chunk}"`),
  );
}

function markOf(stream: ReceivedStream, name: string): Promise<StreamMessage> {
  return stream.messages.first(({ mark }) => JSON.stringify(mark ?? '').includes(`"${name}"`));
}

/** How much the stream had sent when the mark came back. */
function framesUntil({ messages }: ReceivedStream, name: string): number {
  const at = messages.items.findIndex(({ mark }) =>
    JSON.stringify(mark ?? '').includes(`"${name}"`),
  );
  return messages.items.slice(0, at).filter(({ event }) => event === 'media').length;
}

function audioOf({ media }: StreamMessage): Buffer {
  // Media messages always carry a payload.
  return Buffer.from((media as { payload: string }).payload, 'base64');
}

function audio(ms: number): string {
  return Buffer.alloc(ms * 8, mulawSilence).toString('base64');
}
