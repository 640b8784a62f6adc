// The Telnyx media streaming wire format, read and written.
//
// Where it is not Twilio's: names are in snake case; the stream's id stands outside only and never in what we send;
// the format calls µ-law PCMU; audio may come out of order; less than 20 ms of audio in one frame is refused; and the
// end of the socket does not end the call. The upgrade carries no signature over its address: the one-use token in the
// path is the credential, and the token of the dial in a header proves that it is Telnyx that opens it.
import { z } from 'zod';
import { mulawBytesPerMs, mulawSilence } from '../../platform/mulaw.ts';
import { readAudioFrame, toBase64 } from './audio-frame.ts';
import type { FrameWriter, MediaCodec, ParsedFrame } from './media-codec.ts';

const limits = { smallestFrameOctets: 20 * mulawBytesPerMs } as const;

export const telnyxStream: MediaCodec = { inOrder: false, parseFrame, createFrameWriter };

const encodings: Readonly<Record<string, string>> = {
  PCMU: 'audio/x-mulaw',
  PCMA: 'audio/x-alaw',
  L16: 'audio/l16',
};

const number = z.union([z.int().nonnegative(), z.string().regex(/^\d+$/)]).transform(Number);

const Frame = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connected') }),
  z.object({
    event: z.literal('start'),
    stream_id: z.string().min(1),
    start: z.object({
      call_control_id: z.string().min(1),
      custom_parameters: z.record(z.string(), z.string()).nullish(),
      media_format: z.object({ encoding: z.string(), sample_rate: number }),
    }),
  }),
  z.object({
    event: z.literal('media'),
    media: z.object({
      track: z.string().default('inbound'),
      chunk: number,
      timestamp: number,
      payload: z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/),
    }),
  }),
  z.object({
    event: z.literal('dtmf'),
    dtmf: z.object({ digit: z.string().regex(/^[\d*#A-D]$/) }),
  }),
  z.object({ event: z.literal('mark'), mark: z.object({ name: z.string() }) }),
  z.object({ event: z.literal('stop') }),
  z.object({
    event: z.literal('error'),
    payload: z.object({ code: z.union([z.string(), z.number()]).transform(String) }),
  }),
]);

const knownEvents = new Set<string>(Frame.options.map(({ shape }) => shape.event.value));

/** Reads one text frame of the carrier; never throws. */
function parseFrame(text: string): ParsedFrame {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'malformed', why: 'not JSON' };
  }
  const event = eventOf(json);
  if (event === null) return { kind: 'malformed', why: 'no event name' };
  if (!knownEvents.has(event)) return { kind: 'ignored', event };
  const frame = Frame.safeParse(json);
  if (frame.success) return toMediaEvent(frame.data);
  const where = frame.error.issues[0]?.path.join('.') ?? event;
  return { kind: 'malformed', why: `${event}: ${where}` };
}

function eventOf(json: unknown): string | null {
  if (typeof json !== 'object' || json === null || !('event' in json)) return null;
  return typeof json.event === 'string' ? json.event : null;
}

function toMediaEvent(frame: z.infer<typeof Frame>): ParsedFrame {
  switch (frame.event) {
    case 'connected':
    case 'stop':
      return { kind: frame.event };
    case 'start': {
      const { call_control_id: carrierCallId, custom_parameters: params } = frame.start;
      const { encoding, sample_rate: sampleRate } = frame.start.media_format;
      return {
        kind: 'start',
        streamId: frame.stream_id,
        carrierCallId,
        params: params ?? {},
        encoding: encodings[encoding] ?? encoding,
        sampleRate,
      };
    }
    case 'media': {
      const { track, chunk, timestamp, payload } = frame.media;
      if (track !== 'inbound') return { kind: 'ignored', event: `media:${track}` };
      return readAudioFrame(chunk, timestamp, payload);
    }
    case 'dtmf':
      return { kind: 'dtmf', digit: frame.dtmf.digit };
    case 'mark':
      return { kind: 'mark', name: frame.mark.name };
    case 'error':
      return { kind: 'complaint', code: frame.payload.code };
  }
}

function createFrameWriter(): FrameWriter {
  return {
    media: (mulaw) => `{"event":"media","media":{"payload":"${toBase64(padded(mulaw))}"}}`,
    mark: (name) => `{"event":"mark","mark":{"name":${JSON.stringify(name)}}}`,
    clear: () => '{"event":"clear"}',
  };
}

/** The tail of an utterance is filled up with silence. */
function padded(mulaw: Uint8Array): Uint8Array {
  if (mulaw.length >= limits.smallestFrameOctets) return mulaw;
  const frame = new Uint8Array(limits.smallestFrameOctets).fill(mulawSilence);
  frame.set(mulaw);
  return frame;
}
