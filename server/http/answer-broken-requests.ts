// Requests that Node's parser refuses never reach a route; they get our error shape straight on the
// socket.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ERRORS, type ErrorCode } from '../../openapi/errors.ts';
import { errorBody } from './error-answer.ts';
import type { KnownPaths } from './known-paths.ts';

interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that arrived last; Fastify's type of it is not what Node hands over. */
  readonly rawPacket?: unknown;
}

/**
 * For Fastify's `clientErrorHandler`. A method that Node does not know is still answered as such.
 */
export function answerBrokenRequests(paths: KnownPaths, newRequestId: () => string) {
  return (error: ParserError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = error.code === 'HPE_INVALID_METHOD' ? readRequestLine(error, paths) : broken;
    socket.end(answer(refusal, newRequestId()));
  };
}

/** For the server's `connect` event: without a listener Node closes the connection unanswered. */
export function refuseTunnels(paths: KnownPaths, newRequestId: () => string) {
  return ({ url = '' }: IncomingMessage, socket: Duplex): void => {
    socket.end(answer(refuseMethod(url, paths), newRequestId()));
  };
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message?: string;
  readonly allow?: string;
}

const broken: Refusal = { code: 'invalid_request', message: 'This is not a valid HTTP request.' };

function readRequestLine({ rawPacket }: ParserError, paths: KnownPaths): Refusal {
  const requestLine = /^[!#$%&'*+.^_`|~\w-]+ (\/\S*) HTTP\/1\.[01]\r?\n/;
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  const url = requestLine.exec(packet)?.[1];
  return url ? refuseMethod(url, paths) : broken;
}

function refuseMethod(url: string, paths: KnownPaths): Refusal {
  const allow = paths.methodsOf(url);
  return allow ? { code: 'method_not_allowed', allow } : { code: 'not_found' };
}

function answer({ code, message, allow }: Refusal, requestId: string): string {
  const { status } = ERRORS[code];
  const body = JSON.stringify(errorBody(code, message));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...(allow ? [`allow: ${allow}`] : []),
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
