// A vendor's interface on loopback, with faults that a test injects before or after the act.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface VendorRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** As it came; `json` reads it. */
  readonly body: string;
}

export interface VendorAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Fault {
  /** The operation that meets it. */
  readonly on: string;
  /** Whether the vendor does what it was asked all the same. */
  readonly does: boolean;
  /** `silence` keeps the connection open without a word; `hang_up` breaks it. */
  readonly answers: VendorAnswer | 'silence' | 'hang_up';
  /** How many requests meet it; one unless given. */
  readonly times?: number;
  /** Happens in the vendor's world just before. */
  readonly meanwhile?: () => void;
}

export interface VendorServer {
  readonly url: string;
  /** Operations in the order in which they came. */
  readonly seen: string[];
  inject(fault: Fault): void;
  /** Forgets the faults that nobody met. */
  heal(): void;
  close(): void;
}

export async function startVendorServer(options: {
  operationOf(request: VendorRequest): string;
  act(operation: string, request: VendorRequest): VendorAnswer;
}): Promise<VendorServer> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  let faults: { fault: Fault; left: number }[] = [];

  const meet = (operation: string) => {
    const met = faults.find(({ fault, left }) => fault.on === operation && left > 0);
    if (met) met.left -= 1;
    return met?.fault;
  };
  const handle = (request: VendorRequest, response: ServerResponse) => {
    const operation = options.operationOf(request);
    seen.push(operation);
    const fault = meet(operation);
    fault?.meanwhile?.();
    const done = fault && !fault.does ? null : options.act(operation, request);
    const answer = fault ? fault.answers : done;
    if (answer === 'hang_up') response.destroy();
    else if (answer !== 'silence' && answer) send(response, answer);
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const url = new URL(request.url ?? '', 'http://vendor');
      const { method = '', headers } = request;
      handle({ method, path: url.pathname, query: url.searchParams, headers, body }, response);
    });
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    inject: (fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    heal: () => void (faults = []),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function send(response: ServerResponse, { status, body, headers }: VendorAnswer) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

export function json(request: VendorRequest): Record<string, unknown> {
  return JSON.parse(request.body || '{}') as Record<string, unknown>;
}
