// Tells an order's life as it happens, by reading it over the public API.
import type { Clock } from '../../platform/clock.ts';
import type { Client, Order } from '../../sdk/src/index.ts';

/** A hundred reads a minute: under the limit of the workspace. */
const limits = { pollMs: 600, patienceMs: 80_000 } as const;

/** Resolves with the final order; throws when it does not end in time. */
export async function followOrder(
  client: Client,
  orderId: string,
  { print, clock }: { print: (line: string) => void; clock: Clock },
): Promise<Order> {
  const startedMs = clock.monotonicMs();
  let status = '';
  let turnsTold = 0;
  for (;;) {
    const order = await client.orders.get(orderId);
    const second = `${((clock.monotonicMs() - startedMs) / 1000).toFixed(1)}s`.padStart(6);
    if (order.status !== status) print(`${second}  ${(status = order.status)}`);
    // The last turn may still grow while it is heard.
    const told = order.final ? order.transcript.length : order.transcript.length - 1;
    for (const turn of order.transcript.slice(turnsTold, Math.max(told, turnsTold)))
      print(`${second}  ${turn.role === 'agent' ? 'agent ' : 'person'}  ${turn.text}`);
    turnsTold = Math.max(told, turnsTold);
    if (order.final) return order;
    if (clock.monotonicMs() - startedMs > limits.patienceMs)
      throw new Error(`The order is still ${order.status} after ${limits.patienceMs / 1000} s.`);
    await clock.sleep(limits.pollMs);
  }
}
