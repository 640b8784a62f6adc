// Places one order and waits for its outcome.
//   SVC_API_KEY=svc_test_… SVC_BASE_URL=https://… node place-order-and-wait.ts agt_… +12125550001
import { setTimeout as sleep } from 'node:timers/promises';
// In your own program: from '@svc/sdk'.
import { type Client, createClient, type Order, type OrderInput } from '../src/index.ts';

/** Webhooks tell sooner; polling is for scripts, and well under the limit of 120 reads a minute. */
export async function placeAndWait(
  client: Client,
  order: OrderInput,
  { pollMs = 2_000, signal }: { pollMs?: number; signal?: AbortSignal } = {},
): Promise<Order> {
  const { order_id: orderId, estimated_dial_seconds: dialSeconds } =
    await client.orders.create(order);
  console.log(`${orderId} is queued, the first call follows in about ${dialSeconds} s`);
  let status = '';
  for (;;) {
    const read = await client.orders.get(orderId, signal ? { signal } : {});
    if (read.status !== status) console.log(`${orderId} is ${read.status}`);
    if (read.final) return read;
    ({ status } = read);
    await sleep(pollMs, undefined, signal ? { signal } : {});
  }
}

if (import.meta.main) {
  const [agentId = '', phone = ''] = process.argv.slice(2);
  const client = createClient({
    apiKey: process.env['SVC_API_KEY'] ?? '',
    baseUrl: process.env['SVC_BASE_URL'] ?? '',
  });
  const order = await placeAndWait(client, {
    agent_id: agentId,
    lead: { phone, first_name: 'Dana' },
    consent: {
      opt_in_confirmed: true,
      // When and where this very person agreed to be called.
      consented_at: new Date().toISOString(),
      source: 'https://example.com/quote',
    },
  });
  console.log(order.status, order.qualification?.summary ?? order.reason);
}
