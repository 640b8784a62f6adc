// Media Streams as Twilio's network speaks them: numbers as text, the stream's sid in every message.
import type { MediaNews, MediaProblem, MediaWire } from '../line/customer-media.ts';
import { warn, type PhoneCall } from '../line/phone-call.ts';
import { newSid } from './new-sid.ts';
import { signRequest } from './sign-request.ts';
import { parseStreamMessage } from './stream-message.ts';
import type { TwilioNetwork } from './twilio-network.ts';

export interface StreamOrder {
  readonly url: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export function createTwilioWire(
  network: TwilioNetwork,
  call: PhoneCall,
  { url, parameters }: StreamOrder,
): MediaWire {
  const streamSid = newSid('MZ');
  const { accountSid, authToken } = network;
  const start = {
    accountSid,
    streamSid,
    callSid: call.sid,
    tracks: ['inbound'],
    mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
    customParameters: parameters,
  };
  const content = (news: MediaNews): object | null => {
    switch (news.kind) {
      case 'start':
        return { start };
      case 'media': {
        const { chunk, atMs, payload } = news;
        return {
          media: { track: 'inbound', chunk: `${chunk}`, timestamp: `${atMs}`, payload },
        };
      }
      case 'dtmf':
        return { dtmf: { track: 'inbound_track', digit: news.digit } };
      case 'mark':
        return { mark: { name: news.name } };
      case 'stop':
        return { stop: { accountSid, callSid: call.sid } };
      case 'connected':
      case 'problem':
        return null;
    }
  };
  return {
    url,
    headers: { 'X-Twilio-Signature': signRequest(authToken, url) },
    write(news, sequence) {
      if (news.kind === 'connected')
        return { event: 'connected', protocol: 'Call', version: '1.0.0' };
      const told = content(news);
      return told && { event: news.kind, sequenceNumber: `${sequence}`, ...told, streamSid };
    },
    read(text) {
      const message = parseStreamMessage(text, streamSid);
      switch (message?.event) {
        case 'media':
          return { kind: 'media', mulaw: Buffer.from(message.media.payload, 'base64') };
        case 'mark':
          return { kind: 'mark', name: message.mark.name };
        case 'clear':
          return { kind: 'clear' };
        case undefined:
          return null;
      }
    },
    warn: (problem) => warn(call, warnings[problem].code, warnings[problem].message),
  };
}

const warnings: Readonly<Record<MediaProblem, { code: number; message: string }>> = {
  read_too_slowly: {
    code: 31_930,
    message: 'The stream is read too slowly; audio was thrown away',
  },
  not_understood: { code: 31_951, message: 'Stream - Protocol - Invalid message' },
  too_much_audio: {
    code: 31_951,
    message: 'Ten minutes of audio wait already; more was thrown away',
  },
  handshake_refused: { code: 31_920, message: 'Stream - WebSocket - Handshake Error' },
  not_connected: { code: 31_901, message: 'Stream - WebSocket - Connection Error' },
  broken: { code: 31_924, message: 'Stream - WebSocket - Protocol Error' },
};
