// The socket over which the customer hears and speaks on an answered call, whatever the protocol.
import { WebSocket } from 'ws';
import { PlayoutQueue } from './playout-queue.ts';
import { frameMs } from './ticker.ts';

const limits = {
  connectTimeoutMs: 10_000,
  messageBytesMax: 4 * 1024 * 1024,
  /** A customer who reads too slowly loses audio beyond this. */
  unreadBytesMax: 1024 * 1024,
} as const;

/** What the network tells the customer. */
export type MediaNews =
  | { readonly kind: 'connected' }
  | { readonly kind: 'start' }
  | {
      readonly kind: 'media';
      readonly chunk: number;
      readonly atMs: number;
      readonly payload: string;
    }
  | { readonly kind: 'dtmf'; readonly digit: string }
  | { readonly kind: 'mark'; readonly name: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'problem'; readonly problem: MediaProblem };

/** What the customer asks of the network. */
export type MediaCommand =
  | { readonly kind: 'media'; readonly mulaw: Uint8Array }
  | { readonly kind: 'mark'; readonly name: string }
  | { readonly kind: 'clear' };

export type MediaProblem =
  | 'read_too_slowly'
  | 'not_understood'
  | 'too_much_audio'
  | 'handshake_refused'
  | 'not_connected'
  | 'broken';

/** One protocol's way to say it. */
export interface MediaWire {
  readonly url: string;
  /** Of the request that opens the socket. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for news that the protocol does not tell; the sequence counts all but `connected`. */
  write(news: MediaNews, sequence: number): object | null;
  /** Null for anything the protocol would not understand. */
  read(text: string): MediaCommand | null;
  warn(problem: MediaProblem): void;
}

export class CustomerMedia {
  /** Resolves once, when the socket is gone; false if it never opened. */
  readonly closed: Promise<boolean>;
  /** Resolves when the stream began; never, if it does not. */
  readonly opened: Promise<void>;
  readonly #wire: MediaWire;
  readonly #socket: WebSocket;
  readonly #playout = new PlayoutQueue();
  readonly #warned = new Set<MediaProblem>();
  #sequence = 0;
  #chunk = 0;
  #streamedMs = 0;

  constructor(wire: MediaWire) {
    this.#wire = wire;
    this.#socket = new WebSocket(wire.url, {
      headers: wire.headers,
      handshakeTimeout: limits.connectTimeoutMs,
      maxPayload: limits.messageBytesMax,
      perMessageDeflate: false,
    });
    this.closed = new Promise((resolve) => {
      this.#socket.once('close', () => resolve(this.#sequence > 0));
    });
    this.opened = new Promise((resolve) => {
      this.#socket.once('open', () => resolve(this.#begin()));
    });
    this.#socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    this.#socket.on('error', (error) => this.#explain(error));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN && this.#sequence > 0;
  }

  /** What the person says; silence is sent, too. */
  sendAudio(frame: Uint8Array): void {
    const atMs = this.#streamedMs;
    this.#streamedMs += frameMs;
    if (this.#socket.bufferedAmount > limits.unreadBytesMax)
      return this.#complain('read_too_slowly');
    this.#chunk += 1;
    const payload = Buffer.from(frame.buffer, frame.byteOffset, frame.length).toString('base64');
    this.#send({ kind: 'media', chunk: this.#chunk, atMs, payload });
  }

  sendDigit(digit: string): void {
    this.#send({ kind: 'dtmf', digit });
  }

  /** Fills the frame with what the person hears now. */
  playInto(frame: Uint8Array): void {
    this.#echo(this.#playout.play(frame));
  }

  /** The call is over: says so, then leaves. */
  stop(): void {
    if (this.isOpen) this.#send({ kind: 'stop' });
    if (this.#socket.readyState === WebSocket.CONNECTING) this.#socket.terminate();
    else this.#socket.close(1000);
  }

  #begin(): void {
    this.#send({ kind: 'connected' });
    this.#send({ kind: 'start' });
  }

  #receive(data: WebSocket.RawData, isBinary: boolean): void {
    const text = Buffer.isBuffer(data) && !isBinary ? data.toString() : '';
    const command = this.#wire.read(text);
    if (!command) return this.#complain('not_understood');
    switch (command.kind) {
      case 'media':
        if (!this.#playout.push(command.mulaw)) this.#complain('too_much_audio');
        return;
      case 'mark':
        return this.#echo(this.#playout.mark(command.name));
      case 'clear':
        return this.#echo(this.#playout.clear());
    }
  }

  #echo(marks: readonly string[]): void {
    for (const name of marks) this.#send({ kind: 'mark', name });
  }

  #send(news: MediaNews): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    const message = this.#wire.write(news, this.#sequence + 1);
    if (!message) return;
    if (news.kind !== 'connected') this.#sequence += 1;
    this.#socket.send(JSON.stringify(message));
  }

  #explain(error: Error): void {
    if (error.message.includes('Unexpected server response'))
      return this.#complain('handshake_refused');
    this.#complain(this.#sequence === 0 ? 'not_connected' : 'broken');
  }

  /** Each problem is told once per stream. */
  #complain(problem: MediaProblem): void {
    if (this.#warned.has(problem)) return;
    this.#warned.add(problem);
    this.#wire.warn(problem);
    this.#send({ kind: 'problem', problem });
  }
}
