// A contract operation -> a route: read the request, call the procedure, map its answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS } from '../../openapi/errors.ts';
import { freeBodyOf, type Operation } from '../../openapi/operation.ts';
import type { RecordingFile } from '../../domain/recordings/open-recording.ts';
import { createPublicCaller } from '../trpc/public-router.ts';
import type { PublicRequest } from '../trpc/trpc.ts';
import type { Edge } from './edge.ts';
import { readErrorAnswer, sendError } from './error-answer.ts';
import { logFailure } from './log-failure.ts';
import { sendFile } from './send-file.ts';
import { freeBodyReader, leaveBodyUnread } from './read-free-body.ts';
import { readJsonObject } from './read-json-object.ts';
import { queryReader } from './read-query.ts';

export function bindOperation(scope: FastifyInstance, operation: Operation, edge: Edge): void {
  const free = freeBodyOf(operation);
  if (free) leaveBodyUnread(scope);
  else if (operation.body) takeAnyBodyAsBytes(scope);
  const { success } = operation;
  const readQuery = queryReader(operation);
  scope.setErrorHandler((error, request, reply) =>
    answerFailure(edge, operation, { error, request, reply }),
  );
  scope.route<{ Params: Record<string, string> }>({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(operation.body && { bodyLimit: operation.body.maxBytes }),
    async handler(request, reply) {
      const input =
        operation.body && !free
          ? readInput(operation.body, request.body, request.params)
          : { ...readQuery(request.url), ...request.params };
      const call = {
        ...publicRequest(edge, request),
        readBody: free ? freeBodyReader(free, request, reply) : () => Promise.resolve({}),
      };
      const body = await procedureOf(operation, call)(input);
      if (success.bytes)
        return sendFile(request, reply, {
          // The procedure of such an operation returns a file.
          file: body as RecordingFile,
          contentType: success.bytes.contentType,
        });
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
  { unreadable }: NonNullable<Operation['body']>,
  body: unknown,
  parameters: Record<string, string>,
): Record<string, unknown> {
  const fields = readJsonObject(body, unreadable);
  // A field of the body never replaces a parameter of the path.
  return Object.keys(parameters).length > 0 ? { ...fields, ...parameters } : fields;
}

function publicRequest(
  { ctx, verbs }: Edge,
  request: FastifyRequest,
): Omit<PublicRequest, 'readBody'> {
  const idempotencyKey = request.headers['idempotency-key'];
  return {
    verbs,
    now: () => ctx.clock.now(),
    webhookUrlProblem: ctx.webhookUrlProblem,
    authorization: request.headers.authorization,
    linkToken: readLinkToken(request.query),
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : idempotencyKey?.join(','),
    answerHeaders: {},
  };
}

/** A token that is given twice is none. */
function readLinkToken(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('t' in query)) return undefined;
  return typeof query.t === 'string' ? query.t : undefined;
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
  if (declared && ERRORS[answer.code].status < 500) return sendError(reply, answer.code, answer);
  logFailure(ctx, error, { requestId: request.id, operation: operation.id });
  return declared ? sendError(reply, answer.code, answer) : sendError(reply, 'internal_error');
}

/** Too large, shorter than announced, or not decodable: Fastify's own parser gave up. */
function isBodyRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_ERR_CTP');
}
