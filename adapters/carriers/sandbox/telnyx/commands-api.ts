// /v2/calls/{id}/actions/…: what becomes of a call that came in.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DialRequest } from './dial-request.ts';
import { invalidField, refuse, telnyxErrors } from './telnyx-error.ts';
import type { CallOffer, DialedCall, TelnyxNetwork } from './telnyx-network.ts';

const Command = z.object({ command_id: z.string().min(1).optional() });

const Answer = z.object({
  ...Command.shape,
  client_state: DialRequest.shape.client_state,
  stream_url: DialRequest.shape.stream_url,
  stream_track: DialRequest.shape.stream_track,
  stream_codec: DialRequest.shape.stream_codec,
  stream_bidirectional_mode: DialRequest.shape.stream_bidirectional_mode,
  stream_bidirectional_codec: DialRequest.shape.stream_bidirectional_codec,
});
const Reject = z.object({ ...Command.shape, cause: z.enum(['CALL_REJECTED', 'USER_BUSY']) });
const Speak = z.object({
  ...Command.shape,
  payload: z.string().min(1).max(3_000),
  voice: z.string().min(1),
});

interface OneCall {
  Params: { id: string };
}

export function serveCommands(app: FastifyInstance, network: TelnyxNetwork): void {
  const serve = <Body extends z.infer<typeof Command>>(
    action: string,
    schema: z.ZodType<Body>,
    carryOut: (to: { dialed: DialedCall; offer: CallOffer; body: Body }) => boolean,
  ) =>
    app.post<OneCall>(`/calls/:id/actions/${action}`, (request, reply) => {
      const parsed = schema.safeParse(request.body);
      if (!parsed.success) return refuse(reply, invalidField(parsed.error.issues[0]?.path ?? []));
      return command(network, request, reply, (dialed, offer) => {
        const id = parsed.data.command_id;
        if (id !== undefined && offer.commandIds.has(id)) return true;
        const isDone = carryOut({ dialed, offer, body: parsed.data });
        if (isDone && id !== undefined) offer.commandIds.add(id);
        return isDone;
      });
    });
  serve('answer', Answer, ({ dialed, offer, body: { command_id: _id, ...terms } }) => {
    if (dialed.call.answeredAt) return false;
    dialed.dial = { ...dialed.dial, ...terms };
    offer.decide('answered');
    return true;
  });
  serve('reject', Reject, ({ dialed, offer, body: { cause } }) => {
    if (dialed.call.answeredAt) return false;
    offer.decide(cause === 'USER_BUSY' ? 'busy' : 'no-answer');
    return true;
  });
  serve('speak', Speak, ({ offer, body: { payload } }) => offer.speak(payload));
}

function command(
  network: TelnyxNetwork,
  request: FastifyRequest<OneCall>,
  reply: FastifyReply,
  carryOut: (dialed: DialedCall, offer: CallOffer) => boolean,
): FastifyReply {
  const dialed = network.dialed.find(request.params.id);
  if (!dialed?.offer) return refuse(reply, telnyxErrors.notFound);
  if (dialed.call.endedAt) return refuse(reply, telnyxErrors.callOver);
  if (!carryOut(dialed, dialed.offer)) return refuse(reply, telnyxErrors.notNow);
  return reply.send({ data: { result: 'ok' } });
}
