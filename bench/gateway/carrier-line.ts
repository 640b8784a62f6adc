// One call of the load generator: a WebSocket spoken by hand, because a client library costs more
// than the server under test.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

const limits = {
  /** Every tenth frame is followed by a ping: its pong proves that the frame was handled. */
  framesPerProbe: 10,
  digits: 9,
} as const;

const opcodes = { text: 1, close: 8, pong: 10 } as const;

export interface LineCounters {
  latenciesMs: number[];
  probes: number;
  heardOctets: number;
}

export interface LineOptions {
  readonly port: number;
  readonly path: string;
  readonly person: readonly Buffer[];
  readonly counters: LineCounters;
}

export interface CarrierLine {
  /** The server ended the call. */
  readonly over: boolean;
  sendFrame(scheduledMs: number, nowMs: number): void;
  close(): void;
}

let lines = 0;

export async function connectLine(options: LineOptions): Promise<CarrierLine> {
  const { counters, person } = options;
  const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
  await upgrade(socket, options.path);
  const number = (lines += 1);
  const carrier = createCarrierBuffer(counters);
  const frame = mediaTemplate(person[0]?.length ?? 0);
  let sent = 0;
  let over = false;
  let rest: Buffer = Buffer.alloc(0);

  socket.on('data', (data) => {
    rest = readFrames(rest.length > 0 ? Buffer.concat([rest, data]) : data, (opcode, payload) => {
      const nowMs = performance.now();
      if (opcode === opcodes.text) carrier.take(payload, nowMs);
      else if (opcode === opcodes.pong) counters.latenciesMs.push(nowMs - payload.readDoubleLE(0));
      else if (opcode === opcodes.close) socket.end();
    });
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => (over = true));
  socket.write(textFrame(startFrame(number)));

  return {
    get over() {
      return over;
    },
    sendFrame(scheduledMs, nowMs) {
      const payload = person[(sent + number * 37) % person.length];
      if (over || !payload) return;
      sent += 1;
      const parts = [frame.fill(sent, payload), ...carrier.dueMarks(nowMs)];
      if (sent % limits.framesPerProbe === 0) {
        counters.probes += 1;
        parts.push(pingFrame(scheduledMs));
      }
      const [only] = parts;
      socket.write(parts.length === 1 && only ? only : Buffer.concat(parts));
    },
    close: () => void socket.destroy(),
  };
}

async function upgrade(socket: Socket, path: string): Promise<void> {
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error('upgrade refused');
}

interface CarrierBuffer {
  take(payload: Buffer, nowMs: number): void;
  dueMarks(nowMs: number): Buffer[];
}

/** The carrier's playout: audio plays in real time, a mark comes back when its turn is over. */
function createCarrierBuffer(counters: LineCounters): CarrierBuffer {
  const marks: { readonly echo: Buffer; readonly dueMs: number }[] = [];
  const mediaOverhead = '{"event":"media","streamSid":"MZbench","media":{"payload":""}}'.length;
  let playedUntilMs = 0;
  return {
    take(payload, nowMs) {
      // The third letter of the event's name tells media, mark and clear apart.
      if (payload[11] === 0x65) {
        const octets = Math.floor(((payload.length - mediaOverhead) * 3) / 4);
        counters.heardOctets += octets;
        playedUntilMs = Math.max(playedUntilMs, nowMs) + octets / 8;
      } else if (payload[11] === 0x61) {
        marks.push({ echo: textFrame(payload.toString('latin1')), dueMs: playedUntilMs });
      } else playedUntilMs = nowMs;
    },
    dueMarks(nowMs) {
      const due: Buffer[] = [];
      while (marks[0] && marks[0].dueMs <= nowMs) due.push(marks.shift()?.echo ?? Buffer.alloc(0));
      return due;
    },
  };
}

/** Hands out whole frames of an unmasked stream; returns what is left of the last one. */
function readFrames(data: Buffer, take: (opcode: number, payload: Buffer) => void): Buffer {
  let at = 0;
  while (data.length - at >= 2) {
    const short = (data[at + 1] ?? 0) & 0x7f;
    const head = short === 126 ? 4 : 2;
    if (data.length - at < head) break;
    const length = short === 126 ? data.readUInt16BE(at + 2) : short;
    if (data.length - at < head + length) break;
    take((data[at] ?? 0) & 0x0f, data.subarray(at + head, at + head + length));
    at += head + length;
  }
  return data.subarray(at);
}

function startFrame(number: number): string {
  return JSON.stringify({
    event: 'start',
    sequenceNumber: '1',
    start: {
      streamSid: 'MZbench',
      callSid: `CA${number}`,
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      customParameters: {},
    },
    streamSid: 'MZbench',
  });
}

/** A ready media frame in which only the counters and the audio change. */
function mediaTemplate(payloadLength: number) {
  const zeros = '0'.repeat(limits.digits);
  const text =
    `{"event":"media","sequenceNumber":"${zeros}","media":{"track":"inbound","chunk":"${zeros}",` +
    `"timestamp":"${zeros}","payload":"${'A'.repeat(payloadLength)}"},"streamSid":"MZbench"}`;
  const template = textFrame(text);
  const from = template.length - text.length;
  const places = ['sequenceNumber":"', 'chunk":"', 'timestamp":"', 'payload":"'].map(
    (name) => from + text.indexOf(name) + name.length,
  );
  const [sequenceAt = 0, chunkAt = 0, timestampAt = 0, payloadAt = 0] = places;
  return {
    fill(chunk: number, payload: Buffer): Buffer {
      const frame = Buffer.allocUnsafe(template.length);
      template.copy(frame);
      frame.write(String(chunk).padStart(limits.digits, '0'), sequenceAt, 'latin1');
      frame.write(String(chunk).padStart(limits.digits, '0'), chunkAt, 'latin1');
      frame.write(String((chunk - 1) * 20).padStart(limits.digits, '0'), timestampAt, 'latin1');
      payload.copy(frame, payloadAt);
      return frame;
    },
  };
}

/** Clients must mask; masking with zero leaves the payload as it is. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text, 'latin1');
  const long = payload.length > 125;
  const head = Buffer.alloc(long ? 8 : 6);
  head[0] = 0x81;
  head[1] = 0x80 | (long ? 126 : payload.length);
  if (long) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

function pingFrame(scheduledMs: number): Buffer {
  const frame = Buffer.alloc(14);
  frame[0] = 0x89;
  frame[1] = 0x88;
  frame.writeDoubleLE(scheduledMs, 6);
  return frame;
}
