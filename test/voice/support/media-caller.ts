// The carrier's end of one media stream, on a real socket: it plays instantly, so that marks return at once.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { TextToSpeech } from '../../../domain/calls/speech.ts';
import { mulawBytesPerMs, mulawSilence } from '../../../platform/mulaw.ts';

const frameMs = 20;
const frameOctets = frameMs * mulawBytesPerMs;

export interface MediaCaller extends AsyncDisposable {
  readonly socket: WebSocket;
  /** Everything the gateway sent, by event name. */
  readonly received: string[];
  start(carrierCallId?: string): void;
  /** Speaks as fast as the socket takes it, then is silent for a moment. */
  say(text: string): Promise<void>;
  press(digit: string): void;
  stop(): void;
  sendRaw(text: string): void;
  /** The code and reason with which the gateway closed the socket. */
  readonly closed: Promise<{ code: number; reason: string }>;
}

/** Rejects with the HTTP status when the upgrade is refused. */
export async function connectCaller(url: string, tts: TextToSpeech): Promise<MediaCaller> {
  const socket = new WebSocket(url);
  const received: string[] = [];
  let atMs = 0;
  let chunk = 0;
  const send = (message: object) => socket.send(JSON.stringify(message));
  const sendFrame = (mulaw: Uint8Array) => {
    chunk += 1;
    const payload = Buffer.from(mulaw).toString('base64');
    const media = { track: 'inbound', chunk: `${chunk}`, timestamp: `${atMs}`, payload };
    send({ event: 'media', sequenceNumber: `${chunk + 2}`, media, streamSid: 'MZ1' });
    atMs += frameMs;
  };
  const sendAudio = (mulaw: Uint8Array) => {
    for (let from = 0; from < mulaw.length; from += frameOctets) {
      const frame = new Uint8Array(frameOctets).fill(mulawSilence);
      frame.set(mulaw.subarray(from, from + frameOctets));
      sendFrame(frame);
    }
  };
  socket.on('message', (data: Buffer) => {
    // The gateway's frames are its own JSON; the tests read only the fields named here.
    const message = JSON.parse(data.toString()) as { event: string; mark?: { name: string } };
    received.push(message.event);
    if (message.mark) send({ event: 'mark', streamSid: 'MZ1', mark: message.mark });
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await opened(socket);
  return {
    socket,
    received,
    closed,
    start(carrierCallId = 'CA1') {
      send({ event: 'connected', protocol: 'Call', version: '1.0.0' });
      const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 };
      const start = { streamSid: 'MZ1', callSid: carrierCallId, customParameters: {}, mediaFormat };
      send({ event: 'start', sequenceNumber: '1', start, streamSid: 'MZ1' });
    },
    async say(text) {
      for await (const { mulaw } of tts.speak(text, { voice: 'rms' })) sendAudio(mulaw);
      sendAudio(new Uint8Array(800 * mulawBytesPerMs).fill(mulawSilence));
    },
    press: (digit) => send({ event: 'dtmf', streamSid: 'MZ1', dtmf: { track: 'inbound', digit } }),
    stop: () => send({ event: 'stop', streamSid: 'MZ1', stop: { callSid: 'CA1' } }),
    sendRaw: (text) => socket.send(text),
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}

async function opened(socket: WebSocket): Promise<void> {
  const refused = new Promise<never>((_resolve, reject) => {
    socket.once('unexpected-response', (_request, response) => {
      socket.terminate();
      reject(new Error(`refused with ${response.statusCode}`));
    });
  });
  socket.on('error', () => {});
  await Promise.race([once(socket, 'open'), refused]);
}
