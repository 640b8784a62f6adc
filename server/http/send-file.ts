// A file as an HTTP answer: conditional, whole or in part, and never shorter than it says.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/app-error.ts';
import type { RecordingFile } from '../../domain/recordings/open-recording.ts';
import { readRange } from './byte-range.ts';

/** A failure before the first octet is an answer of ours; after it the connection is cut. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, contentType }: { file: RecordingFile; contentType: string },
): Promise<FastifyReply> {
  const { headers } = request;
  const { etag, sizeBytes } = file;
  if (matchesAny(headers['if-none-match'], etag)) {
    file.release();
    return describe(reply, etag).code(304).send();
  }
  // Without the very same file the range would join two recordings.
  const sameFile = headers['if-range'] === undefined || headers['if-range'] === etag;
  const asked = readRange(sameFile ? headers.range : undefined, sizeBytes);
  if (asked.kind === 'unsatisfiable') {
    file.release();
    return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send();
  }
  const { from, to } = asked.kind === 'part' ? asked.range : { from: 0, to: sizeBytes - 1 };
  const stream = await startReading(
    await (asked.kind === 'part' ? file.read(asked.range) : file.read()),
  );
  if (asked.kind === 'part')
    reply.code(206).header('content-range', `bytes ${from}-${to}/${sizeBytes}`);
  describe(reply, etag)
    .header('accept-ranges', 'bytes')
    .header('content-length', to - from + 1)
    .type(contentType);
  return reply.send(Readable.from(readExactly(stream, to - from + 1), { objectMode: false }));
}

/** The answer depends on who asks, and holds what people said. */
function describe(reply: FastifyReply, etag: string): FastifyReply {
  return reply
    .header('etag', etag)
    .header('cache-control', 'private, no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer');
}

function matchesAny(header: string | undefined, etag: string): boolean {
  const given = header?.split(',').map((value) => value.trim().replace(/^W\//, '')) ?? [];
  return given.includes('*') || given.includes(etag);
}

/** Resolves once the first octets are there, so that a failing store still gets a proper answer. */
async function startReading(stream: Readable): Promise<Readable> {
  try {
    if (stream.readableLength === 0) await once(stream, 'readable');
    return stream;
  } catch (cause) {
    throw new AppError('recording_unavailable', undefined, { cause });
  }
}

/** Fails when the store holds fewer octets than were announced. */
async function* readExactly(stream: Readable, sizeBytes: number): AsyncGenerator<Buffer> {
  let left = sizeBytes;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw new Error('The store ended before the recording did.');
}
