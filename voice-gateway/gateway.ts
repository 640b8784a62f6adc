// The media server: who may open a stream, how many run, and whether it is ready.
import websocket from '@fastify/websocket';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { acceptStream, type AcceptStreamOptions } from './accept-stream.ts';
import type { CallSession } from './call-session.ts';
import type { MediaCodec } from './media/media-codec.ts';
import { telnyxStream } from './media/telnyx-stream.ts';
import { twilioStream } from './media/twilio-stream.ts';

const limits = {
  messageBytes: 64 * 1_024,
  /** A token is far shorter. */
  pathBytes: 1_024,
} as const;

/** What proves that the carrier itself asks for the upgrade. */
export interface UpgradeRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface GatewayOptions extends Omit<
  AcceptStreamOptions,
  'codec' | 'onSession' | 'transport'
> {
  readonly verifyUpgrade: (request: UpgradeRequest) => boolean;
  /** Calls beyond this are refused; another gateway can take them. */
  readonly maxCalls: number;
}

export interface Gateway {
  readonly app: FastifyInstance;
  readonly sessions: ReadonlySet<CallSession>;
  /** From now on no new stream is let in. */
  drain(): void;
}

export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { log } = options;
  const sessions = new Set<CallSession>();
  let draining = false;
  const app = fastify({ logger: false, routerOptions: { maxParamLength: limits.pathBytes } });
  await app.register(websocket, {
    options: { maxPayload: limits.messageBytes, perMessageDeflate: false },
    errorHandler: (error, socket) => {
      log.warn({ err: error }, 'media socket failed');
      socket.terminate();
    },
  });

  const refusal = (request: MediaRequest): Refusal | null => {
    if (!request.ws) return { status: 426, reason: 'not_an_upgrade' };
    if (draining) return { status: 503, reason: 'draining' };
    if (sessions.size >= options.maxCalls) return { status: 503, reason: 'full' };
    const { raw } = request;
    if (!options.verifyUpgrade({ url: raw.url ?? '', headers: raw.headers }))
      return { status: 403, reason: 'bad_signature' };
    const verdict = options.desk.checkToken(tokenOf(request));
    return verdict === 'good' ? null : { status: 401, reason: verdict };
  };
  const admitUpgrade = async (request: MediaRequest, reply: FastifyReply) => {
    const refused = refusal(request);
    if (!refused) return;
    log.warn({ reason: refused.reason }, 'media upgrade refused');
    await reply.code(refused.status).send({ error: refused.reason });
  };
  const onSession = (session: CallSession) => {
    sessions.add(session);
    void session.ended.then(() => sessions.delete(session));
  };

  for (const [carrier, codec] of Object.entries(codecs))
    app.get<MediaRoute>(
      `/media/${carrier}/:token`,
      { websocket: true, onRequest: admitUpgrade },
      (socket, request) =>
        acceptStream(socket, tokenOf(request), {
          ...options,
          codec,
          transport: request.socket,
          onSession,
        }),
    );
  app.get('/healthz', () => ({ status: 'alive', activeCalls: sessions.size }));
  app.get('/readyz', (_request, reply) =>
    reply
      .code(draining ? 503 : 200)
      .send({ status: draining ? 'draining' : 'ready', activeCalls: sessions.size }),
  );
  return { app, sessions, drain: () => void (draining = true) };
}

/** By the carrier's name, as it stands in the address that dialling gave out. */
const codecs: Readonly<Record<string, MediaCodec>> = {
  twilio: twilioStream,
  telnyx: telnyxStream,
};

interface MediaRoute {
  Params: { token: string };
}
type MediaRequest = FastifyRequest<MediaRoute>;

interface Refusal {
  readonly status: 401 | 403 | 426 | 503;
  readonly reason: string;
}

function tokenOf(request: MediaRequest): string {
  return request.params.token;
}
