// Media streaming as Telnyx's network speaks it: names in snake case, the stream's id outside only.
import { z } from 'zod';
import { mulawBytesPerMs } from '../../../../platform/mulaw.ts';
import type { MediaNews, MediaProblem, MediaWire } from '../line/customer-media.ts';
import { warn } from '../line/phone-call.ts';
import { newUuid } from './new-uuid.ts';
import type { DialedCall } from './telnyx-network.ts';

/** One message carries 20 ms to 30 s of audio; others are refused. */
const limits = { chunkMsMin: 20, chunkMsMax: 30_000 } as const;

const StreamMessage = z.discriminatedUnion('event', [
  z.object({ event: z.literal('media'), media: z.object({ payload: z.base64() }) }),
  z.object({ event: z.literal('mark'), mark: z.object({ name: z.string() }) }),
  z.object({ event: z.literal('clear') }),
]);

export function createTelnyxWire(dialed: DialedCall, url: string): MediaWire {
  const { dial, call } = dialed;
  const streamId = newUuid();
  const token = dial.stream_auth_token;
  return {
    url,
    headers: token === undefined ? {} : { 'x-telnyx-streaming-auth-token': token },
    write(news, sequence) {
      if (news.kind === 'connected')
        return {
          event: 'connected',
          version: '1.0.0',
          ...(token !== undefined && { 'x-telnyx-streaming-auth-token': token }),
        };
      const content = contentOf(dialed, news);
      const event = news.kind === 'problem' ? 'error' : news.kind;
      return { event, sequence_number: `${sequence}`, ...content, stream_id: streamId };
    },
    read: readCommand,
    warn: (problem) => warn(call, errors[problem].code, errors[problem].title),
  };
}

function contentOf(dialed: DialedCall, news: Exclude<MediaNews, { kind: 'connected' }>): object {
  switch (news.kind) {
    case 'start':
      return { start: startOf(dialed) };
    case 'media': {
      const { chunk, atMs, payload } = news;
      return { media: { track: 'inbound', chunk: `${chunk}`, timestamp: `${atMs}`, payload } };
    }
    case 'dtmf':
      return { dtmf: { digit: news.digit } };
    case 'mark':
      return { mark: { name: news.name } };
    case 'stop':
      return { stop: { user_id: userId, call_control_id: dialed.sid } };
    case 'problem':
      return { payload: { ...errors[news.problem], detail: errors[news.problem].title } };
  }
}

const userId = '00000000-0000-4000-a000-000000000001';

function startOf({ sid, sessionId, dial }: DialedCall) {
  return {
    user_id: userId,
    call_control_id: sid,
    call_session_id: sessionId,
    from: dial.from,
    to: dial.to,
    tags: [],
    client_state: dial.client_state ?? null,
    custom_parameters: {},
    media_format: { encoding: 'PCMU', sample_rate: 8_000, channels: 1 },
  };
}

function readCommand(text: string) {
  const message = StreamMessage.safeParse(parseJson(text)).data;
  switch (message?.event) {
    case 'media': {
      const mulaw = Buffer.from(message.media.payload, 'base64');
      const lengthMs = mulaw.length / mulawBytesPerMs;
      const isFit = lengthMs >= limits.chunkMsMin && lengthMs <= limits.chunkMsMax;
      return isFit ? ({ kind: 'media', mulaw } as const) : null;
    }
    case 'mark':
      return { kind: 'mark', name: message.mark.name } as const;
    case 'clear':
      return { kind: 'clear' } as const;
    case undefined:
      return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const errors: Readonly<Record<MediaProblem, { code: number; title: string }>> = {
  read_too_slowly: { code: 100_005, title: 'rate_limit_reached' },
  too_much_audio: { code: 100_005, title: 'rate_limit_reached' },
  not_understood: { code: 100_003, title: 'malformed_frame' },
  handshake_refused: { code: 100_002, title: 'unknown_error' },
  not_connected: { code: 100_002, title: 'unknown_error' },
  broken: { code: 100_002, title: 'unknown_error' },
};
