// A webhook receiver on loopback that keeps what it got and answers as told.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: { event: string; order_id: string; status: string; [field: string]: unknown };
}

export async function openReceiver(answer: (count: number) => number = () => 204) {
  const received: ReceivedWebhook[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({
        headers: request.headers,
        body,
        event: JSON.parse(body) as ReceivedWebhook['event'],
      });
      response.writeHead(answer(received.length)).end();
      for (const wake of waiting) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    /** Resolves once so many requests have come. */
    count: (wanted: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (received.length < wanted) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
