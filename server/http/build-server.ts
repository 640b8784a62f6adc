// The HTTP server: composes the routes, and gives every answer its request id, whatever goes wrong.
import { randomUUID } from 'node:crypto';
import fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { limits as promised } from '../../openapi/limits.ts';
import { operations } from '../../openapi/operations.ts';
import type { PublicVerbs } from '../trpc/public-verbs.ts';
import { bindOperation } from './bind-operation.ts';
import { answerBrokenRequests, refuseTunnels } from './answer-broken-requests.ts';
import type { EdgeContext } from './edge.ts';
import { readErrorAnswer, sendError } from './error-answer.ts';
import { type KnownPaths, knownPaths } from './known-paths.ts';
import { logFailure } from './log-failure.ts';
import { registerReferencePage } from './reference-page.ts';
import { registerServiceRoutes } from './service-routes.ts';

const limits = {
  requestTimeoutMs: 30_000,
  /** Room for the secret token in a trigger URL. */
  pathParameterMaxChars: 256,
} as const;

export interface ServerOptions {
  readonly verbs: PublicVerbs;
  /** Further routes, each in its own scope: carrier callbacks, the dashboard. */
  readonly scopes?: readonly ((app: FastifyInstance) => void | Promise<void>)[];
  /** From the first octet of a request to its last. */
  readonly requestTimeoutMs?: number;
}

export function buildServer(ctx: EdgeContext, options: ServerOptions): FastifyInstance {
  const paths = knownPaths();
  const { requestTimeoutMs = limits.requestTimeoutMs } = options;
  const app = fastify({
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: promised.order.bodyMaxBytes,
    requestTimeout: requestTimeoutMs,
    exposeHeadRoutes: false,
    http: {
      // Node would refuse a missing Host with an empty body; the hook below refuses it in our shape.
      requireHostHeader: false,
      // Node takes the larger of both time-outs for whole requests, and looks every 30 s unless told.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(requestTimeoutMs / 10),
    },
    // Requests that arrive while the server drains are still served; their connections close.
    return503OnClosing: false,
    routerOptions: { maxParamLength: limits.pathParameterMaxChars },
    // The path could not be decoded or a parameter is too long, so nothing is there.
    frameworkErrors: (_error, request, reply) => {
      reply.header('x-request-id', request.id);
      sendError(reply, 'not_found');
    },
    clientErrorHandler: answerBrokenRequests(paths, newRequestId),
  });
  app.server.on('connect', refuseTunnels(paths, newRequestId));
  // Unknown expectations may be ignored; Node would refuse them with an empty body.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  addAnswersForAll(app, ctx, paths);
  registerServiceRoutes(app, ctx);
  registerReferencePage(app);
  for (const operation of Object.values(operations)) {
    void app.register((scope, _options, done) => {
      bindOperation(scope, operation, { ctx, verbs: options.verbs });
      done();
    });
  }
  for (const scope of options.scopes ?? []) void app.register(async (inner) => scope(inner));
  return app;
}

function addAnswersForAll(app: FastifyInstance, ctx: EdgeContext, paths: KnownPaths) {
  app.addHook('onRoute', (route) => paths.add(route.url, route.method));
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      return sendError(reply, 'invalid_request', { message: 'The Host header is missing.' });
    if (!request.is404) return done();
    // A not-found handler would come too late: the body is parsed before it runs.
    const allowed = paths.methodsOf(request.url);
    if (!allowed) return sendError(reply, 'not_found');
    return sendError(reply.header('allow', allowed), 'method_not_allowed');
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const answer = { status: reply.statusCode, durationMs: Math.round(reply.elapsedTime) };
    ctx.log.debug(
      { requestId: request.id, method, route: routeOptions.url, ...answer },
      'answered',
    );
    done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = readErrorAnswer(error);
    if (answer.code === 'internal_error') logFailure(ctx, error, { requestId: request.id });
    return sendError(reply, answer.code, answer);
  });
}

function newRequestId(): string {
  return `req_${randomUUID()}`;
}
