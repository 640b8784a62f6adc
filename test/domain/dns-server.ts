// A name server on loopback that answers from a table, for tests of what names may resolve to.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Answer = readonly string[] | 'no_such_name' | 'server_failure' | 'silence';

export interface DnsServer {
  readonly address: string;
  /** What each query asked for, in order: "A name" or "AAAA name". */
  readonly queries: readonly string[];
  set(name: string, answer: Answer): void;
  close(): void;
}

const responseCodes = { no_such_name: 3, server_failure: 2 } as const;

export async function startDnsServer(): Promise<DnsServer> {
  const answers = new Map<string, Answer>();
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, sender) => {
    const { name, type, end } = readQuestion(query);
    queries.push(`${type === 28 ? 'AAAA' : 'A'} ${name}`);
    const answer = answers.get(name) ?? 'no_such_name';
    if (answer === 'silence') return;
    socket.send(respond(query.subarray(0, end), type, answer), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    set: (name, answer) => void answers.set(name, answer),
    close: () => void socket.close(),
  };
}

function readQuestion(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function respond(question: Buffer, type: number, answer: Exclude<Answer, 'silence'>): Buffer {
  const failed = typeof answer === 'string';
  const family = type === 28 ? 6 : 4;
  const addresses = failed ? [] : answer.filter((address) => isIP(address) === family);
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (failed ? responseCodes[answer] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const bytes = ipaddr.parse(address).toByteArray();
    return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]);
  });
  return Buffer.concat([header, question.subarray(12), ...records]);
}
