// Leaves a body on the wire until its procedure asks for it: who may not send is answered unread.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/app-error.ts';
import type { FreeBody } from '../../openapi/operation.ts';
import { parseFreeBody } from './parse-free-body.ts';
import { readBytes } from './read-bytes.ts';

const sentType = 'sentContentType';

/** For the scope of one operation; a Content-Type that cannot be parsed must not refuse. */
export function leaveBodyUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.decorateRequest(sentType, '');
  scope.addHook('onRequest', (request, _reply, done) => {
    request.setDecorator(sentType, request.headers['content-type'] ?? '');
    request.headers['content-type'] = 'application/octet-stream';
    done();
  });
}

export function freeBodyReader(
  { maxBytes, unreadable }: FreeBody,
  request: FastifyRequest,
  reply: FastifyReply,
): () => Promise<object> {
  return async () => {
    const bytes = await readBytes(request.raw, maxBytes);
    if (bytes) return parseFreeBody(bytes, request.getDecorator<string>(sentType), unreadable);
    // The client may go on sending.
    reply.header('connection', 'close');
    throw new AppError(unreadable);
  };
}
