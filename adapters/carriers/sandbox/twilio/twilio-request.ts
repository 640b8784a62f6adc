// What the REST routes share: reading forms and queries, and refusing.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProtocolAnswers } from '../answer-or-fail.ts';
import { errorBody, twilioErrors, type TwilioError } from './twilio-error.ts';

/** The content type parser of twilio-api.ts makes every form a URLSearchParams. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
}

export function queryOf(request: FastifyRequest): URLSearchParams {
  return new URL(request.url, 'http://sandbox').searchParams;
}

export function refuse(reply: FastifyReply, error: TwilioError): FastifyReply {
  return reply.code(error.status).send(errorBody(error));
}

/** How Twilio says what a fault wants said. */
export const twilioAnswers: ProtocolAnswers = {
  done: 201,
  serverError: (reply) => refuse(reply, twilioErrors.serverError),
  tooManyRequests: (reply) => refuse(reply, twilioErrors.tooManyRequests),
};
