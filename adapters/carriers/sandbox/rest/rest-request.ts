// What the REST routes share: reading forms and queries, refusing, and faults on order.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Network } from '../network.ts';
import { errorBody, twilioErrors, type TwilioError } from './twilio-error.ts';

/** The content type parser of start-sandbox.ts makes every form a URLSearchParams. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

export function queryOf(request: FastifyRequest): URLSearchParams {
  return new URL(request.url, 'http://sandbox').searchParams;
}

export function refuse(reply: FastifyReply, error: TwilioError): FastifyReply {
  return reply.code(error.status).send(errorBody(error));
}

/** Does what was asked, then answers, unless a test ordered a fault for this number. */
export async function answerOrFail(
  network: Network,
  to: string,
  reply: FastifyReply,
  carryOut: () => Promise<object>,
): Promise<FastifyReply> {
  const fault = network.faults.takeRequestFault(to);
  switch (fault?.kind) {
    case 'fails_before_placing':
      return refuse(reply, twilioErrors.serverError);
    case 'too_many_requests':
      return refuse(reply, twilioErrors.tooManyRequests);
    case 'fails_after_placing':
      await carryOut();
      return refuse(reply, twilioErrors.serverError);
    case 'never_places':
      reply.hijack();
      return reply;
    case 'answers_late': {
      const answer = await carryOut();
      await network.clock.sleep(fault.afterMs, network.closing);
      return reply.code(201).send(answer);
    }
    case undefined:
      return reply.code(201).send(await carryOut());
  }
}
