// Carrier callbacks: who sent it is proven first, then one verb applies it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallbackReading, SignedRequest } from '../../domain/calls/carrier.ts';
import type { Context } from '../../domain/context.ts';
import { applyCarrierEvent } from '../../domain/orders/apply-carrier-event.ts';

const limits = { bodyMaxBytes: 16_384 } as const;

interface AttemptPath {
  Params: { carrier: string; workspaceId: string; orderId: string; attemptId: string };
}

const emptyTwiml = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

/** Registers `/carriers/<name>/...`; in a scope of its own, because it alone takes bodies as they are. */
export function registerCarrierRoutes(app: FastifyInstance, ctx: Context): void {
  const { carrierCallbacks: callbacks } = ctx;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'application/json'],
      { parseAs: 'string', bodyLimit: limits.bodyMaxBytes },
      (_request, body, done) => done(null, body),
    );
    scope.addHook<AttemptPath>('onRequest', async (request, reply) => {
      if (request.params.carrier !== ctx.carrier.name) return reply.callNotFound();
    });
    const path = '/carriers/:carrier/:workspaceId/:orderId/:attemptId';
    scope.post<AttemptPath>(`${path}/call`, (request, reply) =>
      answer(ctx, request, reply, callbacks.readCall(signedRequest(ctx, request))),
    );
    scope.post<AttemptPath>(`${path}/machine`, (request, reply) =>
      answer(ctx, request, reply, callbacks.readMachineDetection(signedRequest(ctx, request))),
    );
  });
}

async function answer(
  ctx: Context,
  request: FastifyRequest<AttemptPath>,
  reply: FastifyReply,
  reading: CallbackReading,
) {
  const { attemptId } = request.params;
  switch (reading.kind) {
    case 'forged':
      ctx.log.warn({ attemptId }, 'carrier callback with a wrong signature was refused');
      return reply.code(403).send();
    case 'unreadable':
      ctx.log.warn({ attemptId }, 'carrier callback could not be read');
      return reply.code(400).send();
    case 'event':
      await applyCarrierEvent(ctx, request.params, reading.event);
      return acknowledge(ctx, reply);
    case 'ignored':
      return acknowledge(ctx, reply);
  }
}

/** Twilio reads what to do next out of every answer. */
function acknowledge(ctx: Context, reply: FastifyReply) {
  return ctx.carrier.name === 'twilio'
    ? reply.type('text/xml').send(emptyTwiml)
    : reply.code(204).send();
}

function signedRequest(ctx: Context, request: FastifyRequest): SignedRequest {
  const body = typeof request.body === 'string' ? request.body : '';
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  return {
    // Built from the configured origin: the Host header is the sender's to choose.
    url: `${ctx.settings.publicUrl}${request.url}`,
    headers: request.headers,
    params: isForm ? formParams(body) : {},
    body,
  };
}

function formParams(body: string): Record<string, string | string[]> {
  const params = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}
