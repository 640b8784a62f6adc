// Stripe on loopback: Checkout Sessions, idempotency keys, signed webhooks, and faults on demand.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../platform/clock.ts';
import { newToken } from '../../../platform/ids.ts';
import {
  createEvent,
  createSession,
  invalid,
  parseForm,
  signatureOf,
  type Refusal,
  type Session,
  type StripeEvent,
} from './stripe-objects.ts';

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
}

export type StripeEmulator = Awaited<ReturnType<typeof startStripeEmulator>>;

export async function startStripeEmulator(options: { clock: Clock; secretKey: string }) {
  const nowSeconds = () => Math.floor(options.clock.now().getTime() / 1000);
  const sessions = new Map<string, Session>();
  const kept = new Map<string, { form: string; answer: Answer }>();
  const faults: Fault[] = [];
  const seen: { method: string; path: string; idempotencyKey: string | undefined }[] = [];
  const sockets = new Set<Socket>();

  const server = createServer((request, response) => {
    void text(request).then((body) => serve(request, response, body));
  });
  function serve(request: IncomingMessage, response: ServerResponse, body: string) {
    const { method = '', url: path = '' } = request;
    const key = request.headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' ? key : undefined;
    seen.push({ method, path, idempotencyKey });
    const fault = faults.shift();
    if (fault === 'never_answer') return;
    if (fault === 'refuse_connection') return void response.destroy();
    if (fault === 'rate_limited') return send(response, refused(429, 'rate_limit'));
    if (request.headers.authorization !== `Bearer ${options.secretKey}`)
      return send(response, refused(401, 'invalid_request_error'));
    const before = method === 'POST' && idempotencyKey ? kept.get(idempotencyKey) : undefined;
    if (before) {
      if (before.form !== body) return send(response, refused(400, 'idempotency_error'));
      response.setHeader('idempotent-replayed', 'true');
      return send(response, before.answer);
    }
    const { answer, executed } =
      fault === 'error_500'
        ? { answer: refused(500, 'api_error'), executed: true }
        : carryOut(method, path, body);
    // Only what was begun is kept; a parameter that was refused may be corrected under the same key.
    if (method === 'POST' && idempotencyKey && executed)
      kept.set(idempotencyKey, { form: body, answer });
    if (fault === 'lose_answer') return void response.destroy();
    send(response, answer);
  }

  function carryOut(method: string, path: string, body: string) {
    const [, id] = /^\/v1\/checkout\/sessions\/(\w[\w-]*)$/.exec(path) ?? [];
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      const made = createSession(parseForm(body), nowSeconds());
      if ('error' in made) return { answer: asAnswer(made), executed: false };
      sessions.set(made.id, made);
      return { answer: { status: 200, body: structuredClone(made) }, executed: true };
    }
    const session = id === undefined ? undefined : sessions.get(id);
    if (method === 'GET' && session)
      return { answer: { status: 200, body: structuredClone(session) }, executed: true };
    return { answer: asAnswer(invalid('session', 'resource_missing', 404)), executed: false };
  }

  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;

  function change(sessionId: string, values: Partial<Session>): Session {
    const session = sessions.get(sessionId);
    if (!session) throw new Error('There is no such session.');
    return Object.assign(session, values);
  }
  const complete = { status: 'complete', url: null } as const;

  return {
    url: `http://127.0.0.1:${port}`,
    seen: seen as readonly (typeof seen)[number][],
    sessions: () => [...sessions.values()],
    fault: (...next: Fault[]) => void faults.push(...next),
    /** The customer pays; answers the event that Stripe would send. */
    pay(sessionId: string, values: Partial<Session> = {}): StripeEvent {
      const paid = { ...complete, payment_status: 'paid', payment_intent: 'pi_1' } as const;
      const session = change(sessionId, { ...paid, ...values });
      return createEvent('checkout.session.completed', session, nowSeconds());
    },
    /** The customer is done; the money comes later, or not. */
    promise(sessionId: string): StripeEvent {
      const session = change(sessionId, { ...complete, payment_intent: 'pi_1' });
      return createEvent('checkout.session.completed', session, nowSeconds());
    },
    settlePromise(sessionId: string, succeeds: boolean): StripeEvent {
      const session = change(sessionId, succeeds ? { payment_status: 'paid' } : {});
      const how = succeeds ? 'succeeded' : 'failed';
      return createEvent(`checkout.session.async_payment_${how}`, session, nowSeconds());
    },
    expire(sessionId: string): StripeEvent {
      const session = change(sessionId, { status: 'expired', url: null });
      return createEvent('checkout.session.expired', session, nowSeconds());
    },
    /** Delivers an event as Stripe does; answers the status of the receiver. */
    async deliver(
      to: { url: string; secret: string },
      event: StripeEvent,
      forged: { body?: string; signature?: string | null } = {},
    ): Promise<number> {
      const body = JSON.stringify(event, null, 2);
      const { signature = signatureOf(body, to.secret, nowSeconds()) } = forged;
      const response = await fetch(to.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          ...(signature !== null && { 'stripe-signature': signature }),
        },
        body: forged.body ?? body,
      });
      await response.arrayBuffer();
      return response.status;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function asAnswer({ status, error }: Refusal): Answer {
  return { status, body: { error } };
}

function refused(status: number, type: string): Answer {
  return asAnswer({ status, error: { type, message: 'This request was refused.' } });
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${newToken(8)}` })
    .end(JSON.stringify(body));
}
