// The bytes of a request, up to a bound.
import type { IncomingMessage } from 'node:http';

/** Null when there are more than `maxBytes`, or the sender breaks off. What is left is not read. */
export function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes) return Promise.resolve(null);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const finish = (bytes: Buffer | null) => {
      request.off('data', take).off('end', complete).off('close', breakOff).off('error', breakOff);
      // An error that comes later has nobody left to tell.
      request.on('error', () => undefined);
      resolve(bytes);
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      if (received > maxBytes) finish(null);
    };
    const complete = () => finish(Buffer.concat(chunks));
    const breakOff = () => finish(null);
    request.on('data', take).on('end', complete).on('close', breakOff).on('error', breakOff);
  });
}
