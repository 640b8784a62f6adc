// Stripe on loopback: Checkout Sessions, idempotency keys, and faults on demand.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../platform/clock.ts';
import { newToken } from '../../../platform/ids.ts';
import { createSessionBook } from './session-book.ts';
import { invalid, parseForm, type Refusal } from './stripe-objects.ts';

/** What happens to the next request. */
export type Fault =
  /** It is carried out and the answer lost. */
  | 'lose_answer'
  /** The connection breaks before anything is done. */
  | 'refuse_connection'
  /** Fails inside: the answer is kept for its key, as Stripe keeps it. */
  | 'error_500'
  | 'rate_limited'
  | 'never_answer';

interface Answer {
  readonly status: number;
  readonly body: object;
  /** What was begun is kept for its key; a parameter that was refused may be corrected under the same key. */
  readonly begun: boolean;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}

export type StripeEmulator = Awaited<ReturnType<typeof startStripeEmulator>>;

export async function startStripeEmulator(options: { clock: Clock; secretKey: string }) {
  const nowSeconds = () => Math.floor(options.clock.now().getTime() / 1000);
  const book = createSessionBook(nowSeconds);
  const faults: Fault[] = [];
  const seen: Asked[] = [];
  const carryOut = keepForKeys((asked, fault) =>
    fault === 'error_500'
      ? { ...refused(500, 'api_error'), begun: true }
      : answerSessions(book, asked),
  );
  const serve = (request: IncomingMessage, response: ServerResponse, body: string) => {
    const asked = readRequest(request, body);
    seen.push(asked);
    const fault = faults.shift();
    if (fault === 'never_answer') return;
    if (fault === 'refuse_connection') return void response.destroy();
    if (fault === 'rate_limited') return send(response, refused(429, 'rate_limit'));
    if (request.headers.authorization !== `Bearer ${options.secretKey}`)
      return send(response, refused(401, 'invalid_request_error'));
    const answer = carryOut(asked, fault);
    if (fault === 'lose_answer') return void response.destroy();
    send(response, answer);
  };
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void text(request).then((body) => serve(request, response, body));
  });
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    ...book,
    url: `http://127.0.0.1:${port}`,
    nowSeconds,
    seen: seen as readonly Asked[],
    fault: (...next: Fault[]) => void faults.push(...next),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function readRequest({ method = '', url = '', headers }: IncomingMessage, body: string): Asked {
  const key = headers['idempotency-key'];
  return { method, path: url, idempotencyKey: typeof key === 'string' ? key : undefined, body };
}

function answerSessions(
  book: ReturnType<typeof createSessionBook>,
  { method, path, body }: Asked,
): Answer {
  const [, id] = /^\/v1\/checkout\/sessions\/(\w[\w-]*)$/.exec(path) ?? [];
  if (method === 'POST' && path === '/v1/checkout/sessions') {
    const made = book.create(parseForm(body));
    return 'id' in made ? { status: 200, body: made, begun: true } : asAnswer(made);
  }
  const session = method === 'GET' && id !== undefined ? book.find(id) : undefined;
  if (session) return { status: 200, body: session, begun: true };
  return asAnswer(invalid('session', 'resource_missing', 404));
}

/** The same key answers the same again, and refuses other parameters. */
function keepForKeys(carryOut: (asked: Asked, fault: Fault | undefined) => Answer) {
  const kept = new Map<string, { body: string; answer: Answer }>();
  return (asked: Asked, fault: Fault | undefined): Answer => {
    const key = asked.method === 'POST' ? asked.idempotencyKey : undefined;
    const before = key === undefined ? undefined : kept.get(key);
    if (before)
      return before.body === asked.body ? before.answer : refused(400, 'idempotency_error');
    const answer = carryOut(asked, fault);
    if (key !== undefined && answer.begun) kept.set(key, { body: asked.body, answer });
    return answer;
  };
}

function asAnswer({ status, error }: Refusal): Answer {
  return { status, body: { error }, begun: false };
}

function refused(status: number, type: string): Answer {
  return asAnswer({ status, error: { type, message: 'This request was refused.' } });
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${newToken(8)}` })
    .end(JSON.stringify(body));
}
