// From an upgraded socket to a live call, if the desk admits the stream.
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { Timer } from '../platform/clock.ts';
import type { CallSessionOptions } from './call-parts.ts';
import { CallSession } from './call-session.ts';
import { passFrames, sortFrames, type FrameSorter } from './media/frame-sorter.ts';
import type { MediaCodec, MediaEvent } from './media/media-codec.ts';
import { sendTogether } from './media/send-together.ts';

const limits = {
  startMs: 5_000,
  /** Frames that arrive while the desk decides; two seconds of audio. */
  framesWhileAdmitting: 100,
  /** A carrier that reads this slowly is gone. */
  unreadBytes: 256 * 1_024,
  malformedFrames: 20,
} as const;

/** What a carrier's log shows when we close its media socket. */
const closeCodes = {
  done: 1_000,
  fault: 1_011,
  malformed: 4_400,
  bad_token: 4_401,
  expired: 4_401,
  other_call: 4_403,
  not_live: 4_404,
  start_late: 4_408,
  used: 4_409,
  unsupported_media: 4_415,
  unread: 4_429,
} as const;

type CloseReason = keyof typeof closeCodes;

export interface AcceptStreamOptions extends Omit<
  CallSessionOptions,
  'brief' | 'frames' | 'send' | 'streamStartedMs'
> {
  readonly codec: MediaCodec;
  /** The upgraded connection under the socket. */
  readonly transport: Duplex;
  /** A call has begun on this socket. */
  readonly onSession: (session: CallSession) => void;
}

export function acceptStream(socket: WebSocket, token: string, options: AcceptStreamOptions): void {
  const stream = new MediaStream(socket, token, options);
  socket.on('message', (data, isBinary) =>
    sendTogether(options.transport, () => stream.read(data, isBinary)),
  );
  socket.on('close', () => stream.gone());
  socket.on('error', (error) => options.log.warn({ err: error }, 'media socket failed'));
}

type Stage =
  | { readonly kind: 'waiting'; readonly deadline: Timer }
  | { readonly kind: 'admitting'; readonly early: MediaEvent[] }
  | { readonly kind: 'live'; readonly session: CallSession }
  | { readonly kind: 'closed' };

type StartEvent = Extract<MediaEvent, { kind: 'start' }>;

/** Holds the socket from its upgrade to its end. */
class MediaStream {
  readonly #socket: WebSocket;
  readonly #token: string;
  readonly #options: AcceptStreamOptions;
  #stage: Stage;
  #malformed = 0;
  #goneEarly = false;
  readonly #sorter: FrameSorter;

  constructor(socket: WebSocket, token: string, options: AcceptStreamOptions) {
    this.#socket = socket;
    this.#token = token;
    this.#options = options;
    this.#sorter = options.codec.inOrder
      ? passFrames((frame) => this.#receive(frame))
      : sortFrames((frame) => this.#receive(frame));
    const deadline = options.clock.setTimer(() => this.#close('start_late'), limits.startMs);
    this.#stage = { kind: 'waiting', deadline };
  }

  read(data: RawData, isBinary: boolean): void {
    const frame = isBinary ? binaryFrame : this.#options.codec.parseFrame(toText(data));
    switch (frame.kind) {
      case 'ignored':
        return;
      case 'complaint':
        return this.#options.log.warn({ code: frame.code }, 'carrier complains of the media');
      case 'malformed':
        this.#malformed += 1;
        if (this.#malformed > limits.malformedFrames) this.#close('malformed');
        return;
      case 'audio':
        return this.#sorter.push(frame);
      case 'stop':
        this.#sorter.flush();
        return this.#receive(frame);
      case 'connected':
      case 'start':
      case 'dtmf':
      case 'mark':
        return this.#receive(frame);
    }
  }

  /** Who hangs up while the desk decides was on the line all the same: the call is begun, so that it is reported. */
  gone(): void {
    if (this.#stage.kind === 'admitting') this.#goneEarly = true;
    else this.#end();
  }

  #end(): void {
    const stage = this.#leave();
    if (stage.kind === 'live') stage.session.lost();
  }

  #receive(event: MediaEvent): void {
    const stage = this.#stage;
    switch (stage.kind) {
      case 'live':
        return stage.session.receive(event);
      case 'admitting':
        if (stage.early.length < limits.framesWhileAdmitting) stage.early.push(event);
        return;
      case 'waiting':
        if (event.kind === 'start') void this.#begin(event);
        return;
      case 'closed':
        return;
    }
  }

  async #begin(start: StartEvent): Promise<void> {
    this.#leave();
    if (start.encoding !== 'audio/x-mulaw' || start.sampleRate !== 8_000)
      return this.#close('unsupported_media');
    const early: MediaEvent[] = [];
    const startedMs = this.#options.clock.monotonicMs();
    this.#stage = { kind: 'admitting', early };
    try {
      await this.#admit(start, startedMs);
      for (const event of early) this.#receive(event);
      if (this.#goneEarly) this.#end();
    } catch (error) {
      this.#options.log.error({ err: error }, 'call could not be admitted');
      this.#close('fault');
    }
  }

  /** The token is used up and the call bound to it before anything else opens. */
  async #admit(start: StartEvent, streamStartedMs: number): Promise<void> {
    const { desk, codec, onSession } = this.#options;
    const admission = await desk.admit(this.#token, start.carrierCallId);
    if (this.#stage.kind !== 'admitting') return;
    if (admission.kind === 'refused') return this.#close(admission.reason);
    const session = new CallSession({
      ...this.#options,
      brief: admission.brief,
      streamStartedMs,
      frames: codec.createFrameWriter(start.streamId),
      send: (frame) => this.#send(frame),
    });
    this.#stage = { kind: 'live', session };
    onSession(session);
    void session.ended.then(() => this.#close('done'));
  }

  #send(frame: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > limits.unreadBytes) return this.#close('unread');
    this.#socket.send(frame);
  }

  #close(reason: CloseReason): void {
    if (reason !== 'done') this.#options.log.warn({ reason }, 'media socket closed');
    this.#socket.close(closeCodes[reason], reason);
    this.#end();
  }

  #leave(): Stage {
    const stage = this.#stage;
    if (stage.kind === 'waiting') stage.deadline.cancel();
    this.#stage = { kind: 'closed' };
    return stage;
  }
}

const binaryFrame = { kind: 'malformed', why: 'binary' } as const;

function toText(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
