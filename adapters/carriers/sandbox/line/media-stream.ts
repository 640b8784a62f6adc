// The socket of one bidirectional Media Stream, from the network's side.
import { WebSocket } from 'ws';
import { newSid } from '../new-sid.ts';
import { PlayoutQueue } from './playout-queue.ts';
import { parseStreamMessage } from './stream-message.ts';
import { frameMs } from './ticker.ts';

const limits = {
  connectTimeoutMs: 10_000,
  messageBytesMax: 4 * 1024 * 1024,
  /** A customer who reads too slowly loses audio beyond this. */
  unreadBytesMax: 1024 * 1024,
} as const;

export interface MediaStreamOptions {
  readonly url: string;
  readonly signature: string;
  readonly accountSid: string;
  readonly callSid: string;
  readonly parameters: Readonly<Record<string, string>>;
  warn(code: number, message: string): void;
}

export class MediaStream {
  readonly streamSid = newSid('MZ');
  /** Resolves once, when the socket is gone; false if it never opened. */
  readonly closed: Promise<boolean>;
  readonly #options: MediaStreamOptions;
  readonly #socket: WebSocket;
  readonly #playout = new PlayoutQueue();
  readonly #warned = new Set<number>();
  #sequence = 0;
  #chunk = 0;
  #streamedMs = 0;

  constructor(options: MediaStreamOptions) {
    this.#options = options;
    this.#socket = new WebSocket(options.url, {
      headers: { 'X-Twilio-Signature': options.signature },
      handshakeTimeout: limits.connectTimeoutMs,
      maxPayload: limits.messageBytesMax,
      perMessageDeflate: false,
    });
    this.closed = new Promise((resolve) => {
      this.#socket.once('close', () => resolve(this.#sequence > 0));
    });
    this.#socket.once('open', () => this.#begin());
    this.#socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    this.#socket.on('error', (error) => this.#explain(error));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN && this.#sequence > 0;
  }

  /** What the person says; silence is sent, too. */
  sendAudio(frame: Uint8Array): void {
    const timestamp = this.#streamedMs;
    this.#streamedMs += frameMs;
    if (this.#socket.bufferedAmount > limits.unreadBytesMax)
      return this.#warnOnce(31_930, 'The stream is read too slowly; audio was thrown away');
    this.#chunk += 1;
    const payload = Buffer.from(frame.buffer, frame.byteOffset, frame.length).toString('base64');
    this.#send('media', {
      media: { track: 'inbound', chunk: `${this.#chunk}`, timestamp: `${timestamp}`, payload },
    });
  }

  sendDigit(digit: string): void {
    this.#send('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  /** Fills the frame with what the person hears now. */
  playInto(frame: Uint8Array): void {
    this.#echo(this.#playout.play(frame));
  }

  /** The call is over: says so, then leaves. */
  stop(): void {
    const { accountSid, callSid } = this.#options;
    if (this.isOpen) this.#send('stop', { stop: { accountSid, callSid } });
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate();
    else this.#socket.close(1000);
  }

  #begin(): void {
    const { accountSid, callSid, parameters } = this.#options;
    this.#socket.send('{"event":"connected","protocol":"Call","version":"1.0.0"}');
    this.#send('start', {
      start: {
        accountSid,
        streamSid: this.streamSid,
        callSid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
        customParameters: parameters,
      },
    });
  }

  #receive(data: WebSocket.RawData, isBinary: boolean): void {
    const text = Buffer.isBuffer(data) && !isBinary ? data.toString() : '';
    const message = parseStreamMessage(text, this.streamSid);
    if (!message) return this.#warnOnce(31_951, 'Stream - Protocol - Invalid message');
    switch (message.event) {
      case 'media':
        if (!this.#playout.push(Buffer.from(message.media.payload, 'base64')))
          this.#warnOnce(31_951, 'Ten minutes of audio wait already; more was thrown away');
        return;
      case 'mark':
        return this.#echo(this.#playout.mark(message.mark.name));
      case 'clear':
        return this.#echo(this.#playout.clear());
    }
  }

  #echo(marks: readonly string[]): void {
    for (const name of marks) this.#send('mark', { mark: { name } });
  }

  #send(event: string, content: object): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#sequence += 1;
    const sequenceNumber = `${this.#sequence}`;
    this.#socket.send(
      JSON.stringify({ event, sequenceNumber, ...content, streamSid: this.streamSid }),
    );
  }

  #explain(error: Error): void {
    if (error.message.includes('Unexpected server response'))
      return this.#warnOnce(31_920, 'Stream - WebSocket - Handshake Error');
    if (this.#sequence === 0)
      return this.#warnOnce(31_901, 'Stream - WebSocket - Connection Error');
    this.#warnOnce(31_924, 'Stream - WebSocket - Protocol Error');
  }

  #warnOnce(code: number, message: string): void {
    if (this.#warned.has(code)) return;
    this.#warned.add(code);
    this.#options.warn(code, message);
  }
}
