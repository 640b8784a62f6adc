// Carrier callbacks: who sent it is proven first, then one verb applies it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallbackReading, CarrierEvent, SignedRequest } from '../../domain/calls/carrier.ts';
import type { Context } from '../../domain/context.ts';
import { applyCarrierEvent } from '../../domain/orders/apply-carrier-event.ts';
import { applyInboundEvent } from '../../domain/orders/apply-inbound-event.ts';
import { takeInboundCall } from '../../domain/orders/take-inbound-call.ts';
import { applyTextState } from '../../domain/texts/apply-text-state.ts';
import { receiveText } from '../../domain/texts/receive-text.ts';

const limits = { bodyMaxBytes: 16_384 } as const;

interface AttemptPath {
  Params: { workspaceId: string; orderId: string; attemptId: string };
}

interface TextPath {
  Params: { workspaceId: string; textId: string };
}

const emptyTwiml = '<?xml version="1.0" encoding="UTF-8"?><Response/>';

/** Registers `/carriers/twilio/...`; in a scope of its own, because it alone takes forms. */
export function registerCarrierRoutes(app: FastifyInstance, ctx: Context): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: limits.bodyMaxBytes },
      (_request, body, done) => done(null, formParams(String(body))),
    );
    const { carrierCallbacks: callbacks } = ctx;
    const path = '/carriers/twilio/:workspaceId/:orderId/:attemptId';
    scope.post<AttemptPath>(`${path}/call`, (request, reply) =>
      answerEvent(ctx, reply, callbacks.readCall(signedRequest(ctx, request)), (event) =>
        applyCarrierEvent(ctx, request.params, event),
      ),
    );
    scope.post<AttemptPath>(`${path}/machine`, (request, reply) =>
      answerEvent(
        ctx,
        reply,
        callbacks.readMachineDetection(signedRequest(ctx, request)),
        (event) => applyCarrierEvent(ctx, request.params, event),
      ),
    );
    scope.post<TextPath>('/carriers/twilio/:workspaceId/texts/:textId', (request, reply) =>
      answerEvent(ctx, reply, callbacks.readTextState(signedRequest(ctx, request)), (event) =>
        applyTextState(ctx, request.params, event),
      ),
    );
    // The URLs that every number is given at the carrier.
    scope.post('/carriers/twilio/texts', (request, reply) =>
      answerEvent(ctx, reply, callbacks.readTextReceived(signedRequest(ctx, request)), (event) =>
        receiveText(ctx, event),
      ),
    );
    scope.post('/carriers/twilio/inbound', (request, reply) => answerCall(ctx, request, reply));
    scope.post('/carriers/twilio/inbound/status', (request, reply) =>
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
  if (reading.kind !== 'event') return refuse(ctx, reply, reading.kind);
  await apply(reading.event);
  return reply.type('text/xml').send(emptyTwiml);
}

async function answerCall(ctx: Context, request: FastifyRequest, reply: FastifyReply) {
  const { carrierCallbacks: callbacks } = ctx;
  const reading = callbacks.readInboundCall(signedRequest(ctx, request));
  if (reading.kind !== 'call') return refuse(ctx, reply, reading.kind);
  const answer = await takeInboundCall(ctx, reading.call);
  const { contentType, body } = await callbacks.answerInboundCall(reading.call, answer);
  return reply.type(contentType).send(body);
}

function refuse(ctx: Context, reply: FastifyReply, why: 'forged' | 'unreadable') {
  const { url } = reply.request.routeOptions;
  // Ids only: the parameters of the path, never its fields.
  const facts = { route: url, params: reply.request.params };
  if (why === 'forged') {
    ctx.log.warn(facts, 'carrier callback with a wrong signature was refused');
    return reply.code(403).send();
  }
  ctx.log.warn(facts, 'carrier callback could not be read');
  return reply.code(400).send();
}

function signedRequest(ctx: Context, request: FastifyRequest): SignedRequest {
  const signature = request.headers['x-twilio-signature'];
  return {
    // Built from the configured origin: the Host header is the sender's to choose.
    url: `${ctx.settings.publicUrl}${request.url}`,
    params: isParams(request.body) ? request.body : {},
    signature: typeof signature === 'string' ? signature : undefined,
  };
}

function isParams(body: unknown): body is Record<string, string | string[]> {
  return typeof body === 'object' && body !== null;
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
