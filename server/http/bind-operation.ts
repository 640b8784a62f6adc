// A contract operation -> a route: read the request, call the procedure, map its answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Operation } from '../../openapi/operation.ts';
import { createPublicCaller } from '../trpc/public-router.ts';
import type { PublicRequest } from '../trpc/trpc.ts';
import type { Edge } from './edge.ts';
import { readErrorAnswer, sendError } from './error-answer.ts';
import { logFailure } from './log-failure.ts';
import { readJsonObject } from './read-json-object.ts';

export function bindOperation(scope: FastifyInstance, operation: Operation, edge: Edge): void {
  if (operation.body) takeAnyBodyAsBytes(scope);
  const { success } = operation;
  scope.setErrorHandler((error, request, reply) =>
    answerFailure(edge, operation, { error, request, reply }),
  );
  scope.route<{ Params: Record<string, string> }>({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(operation.body && { bodyLimit: operation.body.maxBytes }),
    async handler(request, reply) {
      const input = readInput(operation, request.body, request.params);
      const call = publicRequest(edge, request);
      const body = await procedureOf(operation, call)(input);
      return reply.code(success.status).headers(call.answerHeaders).send(body);
    },
  });
}

/**
 * The document says JSON and nothing else matters: even a Content-Type that cannot be parsed must
 * not refuse.
 */
function takeAnyBodyAsBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  scope.addHook('onRequest', (request, _reply, done) => {
    request.headers['content-type'] = 'application/json';
    done();
  });
}

function readInput(
  operation: Operation,
  body: unknown,
  parameters: Record<string, string>,
): Record<string, unknown> {
  if (!operation.body) return parameters;
  const fields = readJsonObject(body, operation.body.unreadable);
  // A field of the body never replaces a parameter of the path.
  return Object.keys(parameters).length > 0 ? { ...fields, ...parameters } : fields;
}

function publicRequest({ ctx, verbs }: Edge, request: FastifyRequest): PublicRequest {
  const idempotencyKey = request.headers['idempotency-key'];
  return {
    verbs,
    now: () => ctx.clock.now(),
    webhookUrlProblem: ctx.webhookUrlProblem,
    authorization: request.headers.authorization,
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : idempotencyKey?.join(','),
    answerHeaders: {},
  };
}

type PublicProcedure = (input: Record<string, unknown>) => Promise<unknown>;

/**
 * The router has a procedure for each operation, under its id; a contract test holds the two
 * together.
 */
function procedureOf(operation: Operation, call: PublicRequest): PublicProcedure {
  const procedures = createPublicCaller(call) as unknown as Record<string, PublicProcedure>;
  const procedure = procedures[operation.id];
  if (!procedure) throw new Error(`The router has no procedure ${operation.id}.`);
  return procedure;
}

function answerFailure(
  { ctx }: Edge,
  operation: Operation,
  failed: { error: unknown; request: FastifyRequest; reply: FastifyReply },
): FastifyReply {
  const { error, request, reply } = failed;
  if (operation.body && isBodyRefusal(error)) return sendError(reply, operation.body.unreadable);
  const answer = readErrorAnswer(error);
  const declared = operation.errors.includes(answer.code);
  if (declared && answer.code !== 'internal_error') return sendError(reply, answer.code, answer);
  logFailure(ctx, error, { requestId: request.id, operation: operation.id });
  return sendError(reply, 'internal_error');
}

/** Too large, shorter than announced, or not decodable: Fastify's own parser gave up. */
function isBodyRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_ERR_CTP');
}
