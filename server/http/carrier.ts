// Carrier callbacks: who sent it is proven first, then one verb applies it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallbackReading, CarrierEvent, SignedRequest } from '../../domain/calls/carrier.ts';
import type { Context } from '../../domain/context.ts';
import { applyCarrierEvent } from '../../domain/orders/apply-carrier-event.ts';
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
    scope.post<AttemptPath>(`${path}/call`, (request, reply) => {
      const reading = callbacks.readCall(signedRequest(ctx, request));
      return answer(ctx, request, reply, {
        reading,
        apply: (event) => applyCarrierEvent(ctx, request.params, event),
      });
    });
    scope.post<AttemptPath>(`${path}/machine`, (request, reply) => {
      const reading = callbacks.readMachineDetection(signedRequest(ctx, request));
      return answer(ctx, request, reply, {
        reading,
        apply: (event) => applyCarrierEvent(ctx, request.params, event),
      });
    });
    scope.post<TextPath>('/carriers/twilio/:workspaceId/texts/:textId', (request, reply) => {
      const reading = callbacks.readTextState(signedRequest(ctx, request));
      return answer(ctx, request, reply, {
        reading,
        apply: (event) => applyTextState(ctx, request.params, event),
      });
    });
    // The one address that every number's incoming texts are sent to.
    scope.post('/carriers/twilio/texts', (request, reply) => {
      const reading = callbacks.readTextReceived(signedRequest(ctx, request));
      return answer(ctx, request, reply, { reading, apply: (event) => receiveText(ctx, event) });
    });
  });
}

async function answer<Event extends CarrierEvent>(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { reading, apply }: { reading: CallbackReading<Event>; apply: (event: Event) => Promise<void> },
) {
  const ids = request.params;
  switch (reading.kind) {
    case 'forged':
      ctx.log.warn({ ids }, 'carrier callback with a wrong signature was refused');
      return reply.code(403).send();
    case 'unreadable':
      ctx.log.warn({ ids }, 'carrier callback could not be read');
      return reply.code(400).send();
    case 'event':
      await apply(reading.event);
      return reply.type('text/xml').send(emptyTwiml);
  }
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
