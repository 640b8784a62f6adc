// A webhook receiver as a customer would write it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedEvent {
  readonly signature: string;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** The first event that fits, now or when it comes; null when the time is over. */
  waitFor(
    fits: (event: ReceivedEvent) => boolean,
    timeoutMs: number,
  ): Promise<ReceivedEvent | null>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const events: ReceivedEvent[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const signature = request.headers['x-service-signature'];
      events.push({
        signature: typeof signature === 'string' ? signature : '',
        body: Buffer.concat(chunks).toString('utf8'),
      });
      response.writeHead(204).end();
      for (const wake of waiting) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    waitFor: (fits, timeoutMs) =>
      new Promise((resolve) => {
        const settle = (event: ReceivedEvent | null) => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve(event);
        };
        const look = () => {
          const event = events.find(fits);
          if (event) settle(event);
        };
        const timer = setTimeout(() => settle(null), timeoutMs);
        waiting.add(look);
        look();
      }),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
