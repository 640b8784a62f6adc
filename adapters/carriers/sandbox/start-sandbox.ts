// The sandbox phone network: Twilio's REST API and Media Streams, with scripted people at the far end.
import { fastify, type FastifyInstance } from 'fastify';
import { systemClock } from '../../../platform/clock.ts';
import { createFlite } from '../../speech/flite.ts';
import { createSubtitlesRecogniser } from '../../speech/subtitles.ts';
import { Callbacks } from './callbacks.ts';
import { serveControlApi } from './control-api.ts';
import { createFaultPlan } from './fault-plan.ts';
import type { LiveCall, PhoneCall } from './line/phone-call.ts';
import { Ticker } from './line/ticker.ts';
import type { Network } from './network.ts';
import { RecordBook } from './record-book.ts';
import { refuse } from './rest/rest-request.ts';
import { serveRestApi } from './rest/rest-api.ts';
import { errorBody, twilioErrors } from './rest/twilio-error.ts';
import type { SandboxLog } from './sandbox-log.ts';
import type { TextMessage } from './text-message.ts';

const limits = { bodyBytesMax: 64 * 1024, callsKept: 5_000, textsKept: 5_000 } as const;

export interface SandboxOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The loopback address unless given: the control API asks for no password. */
  readonly host?: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** Divides ring times and thinking pauses, never audio. */
  readonly simulationSpeed: number;
  readonly log: SandboxLog;
}

export interface Sandbox {
  readonly port: number;
  /** Base of the REST API, in place of https://api.twilio.com. */
  readonly url: string;
  /** Hangs up all calls and forgets them. May be called twice. */
  close(): Promise<void>;
}

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { accountSid, authToken, simulationSpeed, log, host = '127.0.0.1' } = options;
  const clock = systemClock();
  const voice = createFlite();
  const network: Network = {
    accountSid,
    authToken,
    simulationSpeed,
    log,
    clock,
    voice,
    calls: new RecordBook<PhoneCall>(limits.callsKept, (call) => call.endedAt !== null),
    texts: new RecordBook<TextMessage>(limits.textsKept, () => true),
    liveCalls: new Map<string, LiveCall>(),
    faults: createFaultPlan(),
    callbacks: new Callbacks({ authToken, clock, log }),
    ears: createSubtitlesRecogniser(),
    ticker: new Ticker(clock),
  };
  const app = await createHttp(network);
  const url = await app.listen({ port: options.port, host });
  const port = Number(new URL(url).port);
  log.info({ port }, 'sandbox phone network is ready');
  let closing: Promise<void> | null = null;
  return {
    port,
    url,
    close: () => (closing ??= closeNetwork(network, app, voice)),
  };
}

async function createHttp(network: Network): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: limits.bodyBytesMax, forceCloseConnections: true });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body.toString())),
  );
  app.setNotFoundHandler((_request, reply) => refuse(reply, twilioErrors.notFound));
  app.setErrorHandler((error, _request, reply) => {
    const status = statusOf(error);
    if (status >= 500) network.log.error({ error }, 'sandbox request broke');
    const body = { ...errorBody(twilioErrors.serverError), status };
    return reply.code(status).send(body);
  });
  serveControlApi(app, network);
  await serveRestApi(app, network);
  return app;
}

/** Fastify's own refusals (too large, not JSON) carry their status. */
function statusOf(error: unknown): number {
  const isRefusal = error instanceof Error && 'statusCode' in error;
  return isRefusal && typeof error.statusCode === 'number' ? error.statusCode : 500;
}

async function closeNetwork(
  network: Network,
  app: FastifyInstance,
  voice: AsyncDisposable,
): Promise<void> {
  await app.close();
  const live = [...network.liveCalls.values()];
  for (const call of live) call.hangUp();
  await network.callbacks[Symbol.asyncDispose]();
  await Promise.all(live.map((call) => call.ended));
  network.ticker[Symbol.dispose]();
  await voice[Symbol.asyncDispose]();
}
