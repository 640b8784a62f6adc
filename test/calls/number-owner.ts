// A customer whose numbers people call and text, over either protocol: what came in, and what it answers.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocketServer, type WebSocket } from 'ws';
import { startSandbox } from '../../adapters/carriers/sandbox/start-sandbox.ts';
import type {
  CallEvent,
  CarrierCallbacks,
  InboundAnswer,
  InboundCall,
  SignedRequest,
  TextReceivedEvent,
  TextStateEvent,
} from '../../domain/calls/carrier.ts';
import { createLogger } from '../../platform/log.ts';
import { account, callbacks, carriers, type Protocol } from '../carriers/both-carriers.ts';

export type NumberOwner = Awaited<ReturnType<typeof openNumberOwner>>;

interface Came {
  readonly calls: InboundCall[];
  readonly callEvents: CallEvent[];
  readonly textStates: TextStateEvent[];
  readonly texts: TextReceivedEvent[];
  /** Requests that were not ours to take. */
  readonly refused: string[];
  readonly sockets: WebSocket[];
}

interface Customer {
  readonly came: Came;
  /** By the number that is called; others are busy. */
  readonly answers: Map<string, InboundAnswer>;
  /** Known once the network runs. */
  callbacks: CarrierCallbacks | null;
}

export async function openNumberOwner(protocol: Protocol) {
  const customer: Customer = {
    came: { calls: [], callEvents: [], textStates: [], texts: [], refused: [], sockets: [] },
    answers: new Map(),
    callbacks: null,
  };
  const { server, origin, media } = await listen(customer);
  const sandbox = await startSandbox({
    ...account,
    port: 0,
    simulationSpeed: 20,
    log: createLogger({ level: 'silent', process: 'test' }),
    numberProtocol: protocol,
    numberUrls: { voiceUrl: `${origin}/inbound`, statusUrl: `${origin}/inbound/status` },
    inboundTextUrl: `${origin}/texts`,
  });
  customer.callbacks = callbacks[protocol](sandbox.url);
  const control = (path: string, body: object) =>
    fetch(`${sandbox.url}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    came: customer.came,
    answers: customer.answers,
    origin,
    mediaUrl: `${origin.replace('http', 'ws')}/media/${protocol}/token`,
    control,
    carrier: carriers[protocol](sandbox.url),
    /** Somebody of the network calls a number; the sid of the call. */
    async callIn(person: string, to: string, anonymous = false): Promise<string> {
      const response = await control(`people/${person}/calls`, { to, anonymous });
      return ((await response.json()) as { sid: string }).sid;
    },
    async callOf(sid: string) {
      const response = await fetch(`${sandbox.url}/sandbox/calls`);
      const { calls } = (await response.json()) as {
        calls: { sid: string; status: string; heard: string }[];
      };
      return calls.find((call) => call.sid === sid);
    },
    async close() {
      await sandbox.close();
      media.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function listen(customer: Customer) {
  const server = createServer((request, response) => {
    void take(customer, origin, request)
      .then((reply) => response.writeHead(200, { 'content-type': 'text/xml' }).end(reply))
      .catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an address object.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const media = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const url = `${origin.replace('http', 'ws')}${request.url}`;
    const isCarrier = customer.callbacks?.verifyUpgrade({ url, headers: request.headers });
    if (!isCarrier) return socket.destroy();
    media.handleUpgrade(request, socket, head, (stream) => customer.came.sockets.push(stream));
  });
  return { server, origin, media };
}

async function take(customer: Customer, origin: string, request: IncomingMessage) {
  const body = await text(request);
  const isForm = request.headers['content-type']?.includes('form') ?? false;
  return replyTo(customer, {
    url: `${origin}${request.url}`,
    params: isForm ? Object.fromEntries(new URLSearchParams(body)) : {},
    headers: request.headers,
    body,
  });
}

async function replyTo(
  { came, answers, callbacks: readings }: Customer,
  request: SignedRequest,
): Promise<string> {
  if (!readings) throw new Error('The network has not begun.');
  const keep = <Event>(reading: { kind: string; event?: Event }, into: Event[]) => {
    if (reading.event) into.push(reading.event);
    else if (reading.kind !== 'ignored') came.refused.push(reading.kind);
    return '<Response/>';
  };
  switch (new URL(request.url).pathname) {
    case '/texts':
      return keep(readings.readTextReceived(request), came.texts);
    case '/text-state':
      return keep(readings.readTextState(request), came.textStates);
    case '/inbound/status':
      return keep(readings.readCall(request), came.callEvents);
  }
  const reading = readings.readInboundCall(request);
  if (reading.kind === 'call') {
    came.calls.push(reading.call);
    const answer = answers.get(reading.call.calledNumber) ?? { kind: 'busy' };
    return (await readings.answerInboundCall(reading.call, answer)).body;
  }
  if (reading.kind !== 'goes_on') return keep(reading, came.callEvents);
  await reading.act();
  return '';
}
