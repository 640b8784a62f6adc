// Tells the benchmark where a server listens and what it uses, and ends it when the benchmark ends.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { WebSocketServer } from 'ws';

export type ServerReport =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'usage'; readonly rssMb: number; readonly cpuMs: number };

export async function reportToParent(server: WebSocketServer): Promise<void> {
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (message === 'stop') process.exit();
    const { user, system } = process.cpuUsage();
    const rssMb = Math.round(process.memoryUsage.rss() / 1_048_576);
    process.send?.({ kind: 'usage', rssMb, cpuMs: (user + system) / 1_000 } satisfies ServerReport);
  });
  if (server.address() === null) await once(server, 'listening');
  // A TCP server's address is never a path.
  const { port } = server.address() as AddressInfo;
  process.send?.({ kind: 'listening', port } satisfies ServerReport);
}
