import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mulawSilence } from '../../platform/mulaw.ts';
import { sortFrames, type AudioFrame } from '../../voice-gateway/media/frame-sorter.ts';
import { telnyxStream } from '../../voice-gateway/media/telnyx-stream.ts';

const parseFrame = (text: string) => telnyxStream.parseFrame(text);
const read = (frame: object) => parseFrame(JSON.stringify(frame));

const startFrame = (encoding = 'PCMU') => ({
  event: 'start',
  sequence_number: '1',
  start: {
    user_id: 'u',
    call_control_id: 'v3:1',
    call_session_id: 's',
    client_state: null,
    custom_parameters: {},
    media_format: { encoding, sample_rate: 8_000, channels: 1 },
  },
  stream_id: 'stream-1',
});

describe('the Telnyx stream', () => {
  test('reads a start frame with its ids, and µ-law under its MIME type', () => {
    expect(read(startFrame())).toEqual({
      kind: 'start',
      streamId: 'stream-1',
      carrierCallId: 'v3:1',
      params: {},
      encoding: 'audio/x-mulaw',
      sampleRate: 8_000,
    });
    expect(read(startFrame('G722'))).toMatchObject({ encoding: 'G722' });
  });

  test('reads any audio with its number and time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(), fc.nat(), (octets, chunk, atMs) => {
        const payload = Buffer.from(octets).toString('base64');
        const media = { track: 'inbound', chunk: `${chunk}`, timestamp: `${atMs}`, payload };
        expect(read({ event: 'media', media, stream_id: 's' })).toEqual({
          kind: 'audio',
          chunk,
          atMs,
          mulaw: Buffer.from(octets),
        });
      }),
    );
  });

  test('reads digits, marks, complaints and the end', () => {
    expect(read({ event: 'connected', version: '1.0.0' })).toEqual({ kind: 'connected' });
    expect(read({ event: 'dtmf', dtmf: { digit: '#' } })).toEqual({ kind: 'dtmf', digit: '#' });
    expect(read({ event: 'mark', mark: { name: 'g1:2' } })).toEqual({ kind: 'mark', name: 'g1:2' });
    expect(read({ event: 'stop', stop: {} })).toEqual({ kind: 'stop' });
    const complaint = { event: 'error', payload: { code: 100_003, title: 'malformed_frame' } };
    expect(read(complaint)).toEqual({ kind: 'complaint', code: '100003' });
  });

  test('ignores what it does not know, and the other track', () => {
    expect(read({ event: 'novelty' })).toEqual({ kind: 'ignored', event: 'novelty' });
    const media = { track: 'outbound', chunk: '1', timestamp: '0', payload: '' };
    expect(read({ event: 'media', media })).toEqual({ kind: 'ignored', event: 'media:outbound' });
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(typeof parseFrame(text).kind).toBe('string');
      }),
    );
    expect(parseFrame('{"event":"media","media":{}}')).toMatchObject({ kind: 'malformed' });
  });

  test('writes frames without an id, none shorter than 20 ms', () => {
    const writer = telnyxStream.createFrameWriter('stream-1');
    expect(JSON.parse(writer.mark('g1:"2'))).toEqual({ event: 'mark', mark: { name: 'g1:"2' } });
    expect(JSON.parse(writer.clear())).toEqual({ event: 'clear' });
    const whole = new Uint8Array(240).fill(7);
    const tail = new Uint8Array(40).fill(7);
    expect(payloadOf(writer.media(whole))).toEqual(Buffer.from(whole));
    expect(payloadOf(writer.media(tail))).toEqual(
      Buffer.concat([tail, Buffer.alloc(120, mulawSilence)]),
    );
  });
});

describe('frames out of order', () => {
  test('that are at most four apart come out in order, and none is lost', () => {
    const shuffled = fc
      .array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 200 })
      .map((delays) =>
        delays
          .map((delay, index) => ({ chunk: index + 1, at: index + delay + index / 1_000 }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ chunk }) => chunk),
      );
    fc.assert(
      fc.property(shuffled, (chunks) => {
        expect(sorted(chunks)).toEqual(chunks.toSorted((a, b) => a - b));
      }),
    );
  });

  test('wait for a lost one no longer than four frames', () => {
    expect(sorted([1, 3, 4, 5, 6], { flush: false })).toEqual([1]);
    expect(sorted([1, 3, 4, 5, 6, 7], { flush: false })).toEqual([1, 3, 4, 5, 6, 7]);
  });

  test('that come too late are passed on, and do not disturb those that follow', () => {
    expect(sorted([1, 3, 4, 5, 6, 7, 2, 8])).toEqual([1, 3, 4, 5, 6, 7, 2, 8]);
  });

  test('that still wait at the end are delivered then', () => {
    expect(sorted([1, 4, 3])).toEqual([1, 3, 4]);
  });
});

function sorted(chunks: readonly number[], { flush = true } = {}): number[] {
  const out: number[] = [];
  const sorter = sortFrames(({ chunk }) => out.push(chunk));
  for (const chunk of chunks) sorter.push(frame(chunk));
  if (flush) sorter.flush();
  return out;
}

function frame(chunk: number): AudioFrame {
  return { kind: 'audio', mulaw: new Uint8Array(160), atMs: (chunk - 1) * 20, chunk };
}

function payloadOf(frameText: string): Buffer {
  const { media } = JSON.parse(frameText) as { media: { payload: string } };
  return Buffer.from(media.payload, 'base64');
}
