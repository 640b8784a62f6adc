// Carrier callbacks: who sent it is proven first, then one verb applies it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  CallbackReading,
  CarrierEvent,
  SignedRequest,
  UnreadCallback,
} from '../../domain/calls/carrier.ts';
import type { Context } from '../../domain/context.ts';
import { applyCarrierEvent } from '../../domain/attempts/apply-carrier-event.ts';
import { applyInboundEvent } from '../../domain/attempts/apply-inbound-event.ts';
import { takeInboundCall } from '../../domain/attempts/take-inbound-call.ts';
import { applyTextState } from '../../domain/texts/apply-text-state.ts';
import { receiveText } from '../../domain/texts/receive-text.ts';

const limits = { bodyMaxBytes: 16_384 } as const;

interface CarrierPath {
  Params: { carrier: string };
}

interface AttemptPath {
  Params: { carrier: string; workspaceId: string; orderId: string; attemptId: string };
}

interface TextPath {
  Params: { carrier: string; workspaceId: string; textId: string };
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
    scope.addHook<CarrierPath>('onRequest', async (request, reply) => {
      if (request.params.carrier !== ctx.carrier.name) return reply.callNotFound();
    });
    const carrier = '/carriers/:carrier';
    const attempt = `${carrier}/:workspaceId/:orderId/:attemptId`;
    scope.post<AttemptPath>(`${attempt}/call`, (request, reply) =>
      answerEvent(ctx, reply, callbacks.readCall(signedRequest(ctx, request)), (event) =>
        applyCarrierEvent(ctx, request.params, event),
      ),
    );
    scope.post<AttemptPath>(`${attempt}/machine`, (request, reply) =>
      answerEvent(
        ctx,
        reply,
        callbacks.readMachineDetection(signedRequest(ctx, request)),
        (event) => applyCarrierEvent(ctx, request.params, event),
      ),
    );
    scope.post<TextPath>(`${carrier}/:workspaceId/texts/:textId`, (request, reply) =>
      answerEvent(ctx, reply, callbacks.readTextState(signedRequest(ctx, request)), (event) =>
        applyTextState(ctx, request.params, event),
      ),
    );
    // The URLs that every number is given at the carrier.
    scope.post<CarrierPath>(`${carrier}/texts`, (request, reply) =>
      answerEvent(ctx, reply, callbacks.readTextReceived(signedRequest(ctx, request)), (event) =>
        receiveText(ctx, event),
      ),
    );
    scope.post<CarrierPath>(`${carrier}/inbound`, (request, reply) =>
      answerCall(ctx, reply, signedRequest(ctx, request)),
    );
    scope.post<CarrierPath>(`${carrier}/inbound/status`, (request, reply) =>
      answerEvent(ctx, reply, callbacks.readCall(signedRequest(ctx, request)), (event) =>
        applyInboundEvent(ctx, event),
      ),
    );
  });
}

async function answerEvent<Event extends CarrierEvent>(
  ctx: Context,
  reply: FastifyReply,
  reading: CallbackReading<Event>,
  apply: (event: Event) => Promise<void>,
) {
  if (reading.kind !== 'event') return leaveUnread(ctx, reply, reading.kind);
  await apply(reading.event);
  return acknowledge(ctx, reply);
}

async function answerCall(ctx: Context, reply: FastifyReply, request: SignedRequest) {
  const { carrierCallbacks: callbacks } = ctx;
  const reading = callbacks.readInboundCall(request);
  switch (reading.kind) {
    case 'call': {
      const answer = await takeInboundCall(ctx, reading.call);
      const { contentType, body } = await callbacks.answerInboundCall(reading.call, answer);
      return reply.type(contentType).send(body);
    }
    case 'goes_on':
      await reading.act();
      return acknowledge(ctx, reply);
    case 'event':
      await applyInboundEvent(ctx, reading.event);
      return acknowledge(ctx, reply);
    case 'ignored':
    case 'forged':
    case 'unreadable':
      return leaveUnread(ctx, reply, reading.kind);
  }
}

function leaveUnread(ctx: Context, reply: FastifyReply, why: UnreadCallback['kind']) {
  // Ids only: the parameters of the path, never its fields.
  const facts = { route: reply.request.routeOptions.url, params: reply.request.params };
  switch (why) {
    case 'ignored':
      return acknowledge(ctx, reply);
    case 'forged':
      ctx.log.warn(facts, 'carrier callback with a wrong signature was refused');
      return reply.code(403).send();
    case 'unreadable':
      ctx.log.warn(facts, 'carrier callback could not be read');
      return reply.code(400).send();
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
