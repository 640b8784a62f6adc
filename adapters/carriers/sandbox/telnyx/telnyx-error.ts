// Telnyx's error bodies, for the errors that the sandbox gives.
import type { FastifyReply } from 'fastify';
import type { ProtocolAnswers } from '../answer-or-fail.ts';

export interface TelnyxError {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  /** JSON pointer to the field that is wrong. */
  readonly pointer?: string;
}

export const telnyxErrors = {
  unauthorized: { status: 401, code: '10009', title: 'Authentication failed' },
  notFound: { status: 404, code: '10005', title: 'Resource not found' },
  tooManyRequests: { status: 429, code: '10011', title: 'Too many requests' },
  serverError: { status: 500, code: '10007', title: 'Unexpected error' },
  badRequest: { status: 400, code: '10015', title: 'Bad Request' },
  callOver: { status: 422, code: '90018', title: 'Call has already ended' },
  notNow: { status: 422, code: '90034', title: 'Call is not in a state for this command' },
  textsStopped: { status: 403, code: '40300', title: 'Blocked due to STOP message' },
  invalidTo: { status: 422, code: '10002', title: 'Invalid phone number', pointer: '/to' },
  notForSale: {
    status: 422,
    code: '10027',
    title: 'Invalid parameter: the number is not available',
    pointer: '/phone_numbers/0/phone_number',
  },
} as const satisfies Record<string, TelnyxError>;

export const refusalErrors = {
  invalid_number: telnyxErrors.invalidTo,
  texts_stopped: telnyxErrors.textsStopped,
} as const;

/** The first field that does not hold, in Telnyx's words. */
export function invalidField(path: readonly PropertyKey[]): TelnyxError {
  const pointer = `/${path.map(String).join('/')}`;
  return pointer === '/to' || pointer === '/from'
    ? { status: 422, code: '10016', title: 'Phone number must be in +E.164 format', pointer }
    : { status: 422, code: '10004', title: 'Missing or wrong parameter', pointer };
}

export function refuse(reply: FastifyReply, error: TelnyxError): FastifyReply {
  const { status, code, title, pointer } = error;
  const source = pointer === undefined ? {} : { source: { pointer } };
  return reply.code(status).send({ errors: [{ code, title, detail: `${title}.`, ...source }] });
}

/** How Telnyx says what a fault wants said. */
export const telnyxAnswers: ProtocolAnswers = {
  done: 200,
  serverError: (reply) => refuse(reply, telnyxErrors.serverError),
  tooManyRequests: (reply) => refuse(reply, telnyxErrors.tooManyRequests),
};
