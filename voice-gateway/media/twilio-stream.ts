// The Twilio Media Streams wire format, read and written.
import { z } from 'zod';
import { readAudioFrame, toBase64 } from './audio-frame.ts';
import type { FrameWriter, MediaCodec, ParsedFrame } from './media-codec.ts';

export const twilioStream: MediaCodec = { inOrder: true, parseFrame, createFrameWriter };

/** Reads one text frame of the carrier; never throws. */
export function parseFrame(text: string): ParsedFrame {
  const usual = usualMediaFrame.exec(text);
  if (usual) return readAudioFrame(usual[1], usual[2], usual[3]);
  const mark = usualMarkFrame.exec(text)?.[1];
  if (mark !== undefined) return { kind: 'mark', name: mark };
  return parseUnusualFrame(text);
}

/** The constant parts of every frame are joined once, so that a frame costs one concatenation. */
export function createFrameWriter(streamId: string): FrameWriter {
  const sid = JSON.stringify(streamId);
  const mediaHead = `{"event":"media","streamSid":${sid},"media":{"payload":"`;
  const markHead = `{"event":"mark","streamSid":${sid},"mark":{"name":`;
  const clear = `{"event":"clear","streamSid":${sid}}`;
  return {
    media: (mulaw) => `${mediaHead}${toBase64(mulaw)}"}}`,
    mark: (name) => `${markHead}${JSON.stringify(name)}}}`,
    clear: () => clear,
  };
}

/** Nearly all frames have exactly these two shapes; the others go through the JSON parser. */
const usualMediaFrame =
  /^\{"event":"media","sequenceNumber":"\d+","media":\{"track":"inbound","chunk":"(\d+)","timestamp":"(\d+)","payload":"([A-Za-z0-9+/]*={0,2})"\},"streamSid":"\w+"\}$/;

const usualMarkFrame =
  /^\{"event":"mark",(?:"sequenceNumber":"\d+",)?"streamSid":"\w+","mark":\{"name":"([\w:]+)"\}\}$/;

const number = z.union([z.int().nonnegative(), z.string().regex(/^\d+$/)]).transform(Number);

const Frame = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connected') }),
  z.object({
    event: z.literal('start'),
    start: z.object({
      streamSid: z.string().min(1),
      callSid: z.string().min(1),
      customParameters: z.record(z.string(), z.string()).default({}),
      mediaFormat: z.object({ encoding: z.string(), sampleRate: number }),
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
]);

const knownEvents = new Set<string>(['connected', 'start', 'media', 'dtmf', 'mark', 'stop']);

function parseUnusualFrame(text: string): ParsedFrame {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'malformed', why: 'not JSON' };
  }
  const named = z.object({ event: z.string() }).safeParse(json);
  if (!named.success) return { kind: 'malformed', why: 'no event name' };
  const { event } = named.data;
  if (!knownEvents.has(event)) return { kind: 'ignored', event };
  const frame = Frame.safeParse(json);
  if (!frame.success) {
    const where = frame.error.issues[0]?.path.join('.') ?? event;
    return { kind: 'malformed', why: `${event}: ${where}` };
  }
  return toMediaEvent(frame.data);
}

function toMediaEvent(frame: z.infer<typeof Frame>): ParsedFrame {
  switch (frame.event) {
    case 'connected':
    case 'stop':
      return { kind: frame.event };
    case 'start':
      return {
        kind: 'start',
        streamId: frame.start.streamSid,
        carrierCallId: frame.start.callSid,
        params: frame.start.customParameters,
        encoding: frame.start.mediaFormat.encoding,
        sampleRate: frame.start.mediaFormat.sampleRate,
      };
    case 'media': {
      const { track, chunk, timestamp, payload } = frame.media;
      if (track !== 'inbound') return { kind: 'ignored', event: `media:${track}` };
      return readAudioFrame(chunk, timestamp, payload);
    }
    case 'dtmf':
      return { kind: 'dtmf', digit: frame.dtmf.digit };
    case 'mark':
      return { kind: 'mark', name: frame.mark.name };
  }
}
