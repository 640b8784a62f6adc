// An HTTP proxy that fails on plan: before the server saw the request, or after it answered.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const proxyFaults = [
  'answer 500',
  'answer 503',
  'reset',
  'time out',
  'forward, then answer 500',
  'forward, then answer 503',
  'forward, then reset',
  'forward, then time out',
] as const;

export type ProxyFault = (typeof proxyFaults)[number];

/** Takes one fault of the plan for each request, then lets everything pass. */
export async function openFaultProxy(target: string) {
  let plan: ProxyFault[] = [];
  let forwarded = 0;
  const forward = async (request: IncomingMessage) => {
    forwarded += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { host: _, connection: __, ...headers } = request.headers;
    return fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = plan.shift();
    const passes = fault === undefined || fault.startsWith('forward');
    const answer = passes ? await forward(request) : null;
    const text = await answer?.text();
    if (fault === undefined) response.writeHead(answer?.status ?? 500).end(text);
    else if (fault.endsWith('reset')) request.socket.resetAndDestroy();
    else if (fault.includes('500')) refuse(response, 500, 'internal_error');
    else if (fault.includes('503')) refuse(response, 503, 'wallet_unavailable');
    // What times out is left unanswered.
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** How often the server behind saw a request since the plan was set. */
    forwarded: () => forwarded,
    setPlan(faults: readonly ProxyFault[]) {
      plan = [...faults];
      forwarded = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(response: ServerResponse, status: number, error: string) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ success: false, error, message: 'a planned fault' }));
}
