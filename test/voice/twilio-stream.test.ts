import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFrameWriter, parseFrame } from '../../voice-gateway/media/twilio-stream.ts';
import { createInboundTimeline } from '../../voice-gateway/media/inbound-timeline.ts';

describe('the carrier stream', () => {
  test('reads a start frame with its ids, parameters and format', () => {
    const start = {
      event: 'start',
      sequenceNumber: '1',
      start: {
        accountSid: 'AC1',
        streamSid: 'MZ1',
        callSid: 'CA1',
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
        customParameters: { attempt: 'att_1' },
      },
      streamSid: 'MZ1',
    };
    expect(parseFrame(JSON.stringify(start))).toEqual({
      kind: 'start',
      streamId: 'MZ1',
      carrierCallId: 'CA1',
      params: { attempt: 'att_1' },
      encoding: 'audio/x-mulaw',
      sampleRate: 8000,
    });
  });

  test('reads the same audio from the usual shape and from any other order of fields', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(), fc.nat(), (octets, chunk, atMs) => {
        const usual = mediaFrame(octets, chunk, atMs);
        const reordered = JSON.stringify(JSON.parse(usual), null, 1);
        const expected = { kind: 'audio', chunk, atMs };
        for (const text of [usual, reordered]) {
          expect(parseFrame(text)).toEqual({ ...expected, mulaw: Buffer.from(octets) });
        }
      }),
    );
  });

  test('reads digits, marks and the end', () => {
    expect(parseFrame('{"event":"dtmf","dtmf":{"track":"inbound_track","digit":"#"}}')).toEqual({
      kind: 'dtmf',
      digit: '#',
    });
    const mark = '{"event":"mark","sequenceNumber":"4","streamSid":"MZ1","mark":{"name":"g3:17"}}';
    expect(parseFrame(mark)).toEqual({ kind: 'mark', name: 'g3:17' });
    expect(parseFrame('{"event":"stop","stop":{"callSid":"CA1"}}')).toEqual({ kind: 'stop' });
    expect(parseFrame('{"event":"connected","protocol":"Call"}')).toEqual({ kind: 'connected' });
  });

  test('ignores events it does not know and audio of another track', () => {
    expect(parseFrame('{"event":"novelty"}')).toEqual({ kind: 'ignored', event: 'novelty' });
    const outbound = mediaFrame(new Uint8Array(160), 1, 20).replace('inbound', 'outbound');
    expect(parseFrame(outbound)).toEqual({ kind: 'ignored', event: 'media:outbound' });
  });

  test.each([
    ['no JSON', 'hello'],
    ['no event', '{"media":{}}'],
    ['audio that is not base64', mediaFrame(new Uint8Array(160), 1, 20).replace('AAAA', 'A*A=')],
    [
      'audio cut in the middle of a group',
      mediaFrame(new Uint8Array(3), 1, 20).replace('AAAA', 'AA'),
    ],
    [
      'a time beyond counting',
      mediaFrame(new Uint8Array(3), 1, 20).replace('"20"', '"99999999999999999"'),
    ],
    ['a payload of minutes', mediaFrame(new Uint8Array(100_000), 1, 20)],
    ['a digit no phone has', '{"event":"dtmf","dtmf":{"digit":"xx"}}'],
    ['a start without a call', '{"event":"start","start":{"streamSid":"MZ1"}}'],
  ])('calls %s malformed, and survives it', (_, text) => {
    expect(parseFrame(text).kind).toBe('malformed');
  });

  test('never throws, whatever arrives', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(['ignored', 'malformed']).toContain(parseFrame(text).kind);
      }),
    );
  });

  test('writes frames that carry exactly the documented fields', () => {
    const write = createFrameWriter('MZ"1');
    expect(JSON.parse(write.media(Uint8Array.of(255, 0, 127)))).toEqual({
      event: 'media',
      streamSid: 'MZ"1',
      media: { payload: '/wB/' },
    });
    const mark = { event: 'mark', streamSid: 'MZ"1', mark: { name: 'g1:2' } };
    expect(JSON.parse(write.mark('g1:2'))).toEqual(mark);
    expect(JSON.parse(write.clear())).toEqual({ event: 'clear', streamSid: 'MZ"1' });
  });
});

describe('the inbound timeline', () => {
  test('fills lost frames with silence, by the media clock', () => {
    const { timeline, heard } = listen();
    timeline.push(frame(1, 0, 1));
    timeline.push(frame(4, 60, 4));
    expect(heard()).toEqual([...run(1, 160), ...run(255, 320), ...run(4, 160)]);
    expect(timeline).toMatchObject({ endMs: 80, missingMs: 40, droppedFrames: 0 });
  });

  test('drops repeated and late frames', () => {
    const { timeline, heard } = listen();
    timeline.push(frame(1, 0, 1));
    timeline.push(frame(3, 40, 3));
    timeline.push(frame(3, 40, 3));
    timeline.push(frame(2, 20, 2));
    expect(heard()).toEqual([...run(1, 160), ...run(255, 160), ...run(3, 160)]);
    expect(timeline.droppedFrames).toBe(2);
  });

  test('stays seamless while timestamps wobble, and never strays from them', () => {
    const wobble = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(wobble, (offsets) => {
        const { timeline, heard } = listen();
        offsets.forEach((offset, index) => {
          timeline.push(frame(7, 100 + index * 20 + offset, index));
          expect(Math.abs(timeline.endMs - (120 + index * 20))).toBeLessThan(40);
        });
        expect(heard().slice(960)).not.toContain(255);
      }),
    );
  });

  test('jumps over hours that never were without inventing them', () => {
    const { timeline, heard } = listen();
    timeline.push(frame(1, 0, 1));
    timeline.push(frame(2, 7_200_000, 2));
    expect(heard().length).toBe(160 + 80_000 + 160);
    expect(timeline.endMs).toBe(7_200_020);
  });

  test('hands on audio in order and without overlap, whatever the carrier sends', () => {
    const frames = fc.array(
      fc.record({ atMs: fc.nat(3_000), octets: fc.nat(400), chunk: fc.nat(100) }),
    );
    fc.assert(
      fc.property(frames, (pushed) => {
        let end = 0;
        const timeline = createInboundTimeline((mulaw, atMs) => {
          expect(atMs * 8).toBeGreaterThanOrEqual(end);
          end = atMs * 8 + mulaw.length;
        });
        for (const { atMs, octets, chunk } of pushed)
          timeline.push({ mulaw: new Uint8Array(octets), atMs, chunk });
        expect(timeline.endMs * 8).toBe(end);
      }),
    );
  });
});

function mediaFrame(octets: Uint8Array, chunk: number, atMs: number): string {
  const payload = Buffer.from(octets).toString('base64');
  return `{"event":"media","sequenceNumber":"4","media":{"track":"inbound","chunk":"${chunk}","timestamp":"${atMs}","payload":"${payload}"},"streamSid":"MZ1"}`;
}

function listen() {
  const parts: Uint8Array[] = [];
  const timeline = createInboundTimeline((mulaw) => void parts.push(mulaw.slice()));
  return { timeline, heard: () => Array.from(Buffer.concat(parts)) };
}

function frame(octet: number, atMs: number, chunk: number) {
  return { mulaw: new Uint8Array(160).fill(octet), atMs, chunk };
}

function run(octet: number, count: number): number[] {
  return Array.from({ length: count }, () => octet);
}
