// A customer of the sandbox network: the official client, a callback receiver and a media server.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import twilio from 'twilio';
import { WebSocketServer, type WebSocket } from 'ws';
import { startSandbox } from '../../../adapters/carriers/sandbox/start-sandbox.ts';
import { createLogger } from '../../../platform/log.ts';

export const accountSid = `AC${'a'.repeat(32)}`;
export const authToken = 'the-token-of-the-test-account';

export interface ReceivedCallback {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly fields: Readonly<Record<string, string>>;
  readonly isSigned: boolean;
}

export interface StreamMessage {
  readonly event: string;
  readonly sequenceNumber?: string;
  readonly streamSid?: string;
  readonly [content: string]: unknown;
}

export interface ReceivedStream {
  readonly path: string;
  readonly isSigned: boolean;
  readonly socket: WebSocket;
  readonly messages: Inbox<StreamMessage>;
  readonly closed: Promise<number>;
  send(event: string, content?: object): void;
}

/** Everything that arrived, and a way to wait for what has not. */
export class Inbox<Item> {
  readonly items: Item[] = [];
  readonly #waiting = new Set<() => void>();

  add(item: Item): void {
    this.items.push(item);
    for (const look of this.#waiting) look();
  }

  first(wanted: (item: Item) => boolean): Promise<Item> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.items.find(wanted);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

export async function openCustomer({ simulationSpeed = 20 } = {}) {
  const log = createLogger({ level: 'silent', process: 'sandbox' });
  const callbacks = await receiveCallbacks();
  const sandbox = await startSandbox({
    port: 0,
    accountSid,
    authToken,
    numberUrls: { voiceUrl: `${callbacks.url}/voice`, statusUrl: `${callbacks.url}/voice/status` },
    simulationSpeed,
    log,
  });
  const media = await receiveStreams();
  return {
    sandbox,
    client: clientOf(sandbox.url),
    callbacks,
    media,
    control: (path: string, body: object) =>
      fetch(`${sandbox.url}/sandbox/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await media.close();
      await callbacks.close();
    },
  };
}

export type Customer = Awaited<ReturnType<typeof openCustomer>>;

/** The official client, with its requests turned to the sandbox. */
export function clientOf(url: string, token = authToken) {
  const httpClient = new twilio.RequestClient();
  const request = httpClient.request.bind(httpClient);
  httpClient.request = (options) =>
    request({ ...options, uri: options.uri.replace('https://api.twilio.com', url) });
  return twilio(accountSid, token, { httpClient });
}

/** Runs a stream, then hangs up. */
export function streamTwiml(url: string, afterwards = '<Hangup/>'): string {
  const parameter = '<Parameter name="attempt" value="a &amp; b"/>';
  const connect = `<Connect><Stream url="${url}">${parameter}</Stream></Connect>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${connect}${afterwards}</Response>`;
}

async function receiveCallbacks() {
  const inbox = new Inbox<ReceivedCallback>();
  let answer = (_path: string, _count: number): { status: number; body: string } => ({
    status: 204,
    body: '',
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const fields = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
      const path = request.url ?? '';
      const signature = String(request.headers['x-twilio-signature']);
      const isSigned = twilio.validateRequest(authToken, signature, url + path, fields);
      inbox.add({ path, headers: request.headers, fields, isSigned });
      const count = inbox.items.filter((each) => each.path === path).length;
      const { status, body } = answer(path, count);
      response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${portOf(server.address())}`;
  return {
    url,
    inbox,
    answerWith: (answering: typeof answer) => void (answer = answering),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receiveStreams() {
  const inbox = new Inbox<ReceivedStream>();
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const url = `ws://127.0.0.1:${portOf(server.address())}`;
  server.on('connection', (socket, request) => {
    const path = request.url ?? '';
    const signature = String(request.headers['x-twilio-signature']);
    const isSigned = twilio.validateRequest(authToken, signature, url + path, {});
    const messages = new Inbox<StreamMessage>();
    // What the sandbox sends is checked by the tests that read it.
    socket.on('message', (data: Buffer) =>
      messages.add(JSON.parse(data.toString()) as StreamMessage),
    );
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    const streamSid = () => messages.items.find(({ event }) => event === 'start')?.streamSid;
    const send = (event: string, content: object = {}) =>
      socket.send(JSON.stringify({ event, streamSid: streamSid(), ...content }));
    inbox.add({ path, isSigned, socket, messages, closed, send });
  });
  return {
    url,
    inbox,
    close: async () => {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A listening TCP server has an address with a port. */
function portOf(address: AddressInfo | string | null): number {
  return (address as AddressInfo).port;
}
