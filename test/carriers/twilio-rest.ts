// A server on loopback that answers like Twilio's REST interface, as each test tells it to.
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly body: string;
  readonly authorization: string;
}

type Answer = (response: ServerResponse, request: SeenRequest) => void;

export interface TwilioRest {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  answerWith(answer: Answer): void;
  close(): void;
}

export async function startTwilioRest(): Promise<TwilioRest> {
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let answer: Answer = (response) => refuse(response, 404, 20_404);
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '', 'http://twilio');
      const arrived = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        form: new URLSearchParams(body),
        body,
        authorization: request.headers.authorization ?? '',
      };
      seen.push(arrived);
      answer(response, arrived);
    });
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    answerWith: (next) => void (answer = next),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

export function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function refuse(response: ServerResponse, status: number, code: number): void {
  const message = 'The number +12025550101 was refused';
  const moreInfo = `https://www.twilio.com/docs/errors/${code}`;
  reply(response, status, { code, message, more_info: moreInfo, status });
}

export function callResource(fields: Record<string, unknown> = {}) {
  return {
    sid: `CA${'1'.repeat(32)}`,
    account_sid: `AC${'0'.repeat(32)}`,
    status: 'queued',
    to: '+12025550101',
    from: '+12025550102',
    direction: 'outbound-api',
    duration: null,
    start_time: null,
    end_time: null,
    date_created: 'Sat, 21 Nov 2026 12:00:00 +0000',
    ...fields,
  };
}
