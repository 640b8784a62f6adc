// A workspace with a number of its own to call, and what is asked of it afterwards.
import { readWallet } from '../../domain/billing/read-wallet.ts';
import type { CallRef } from '../../domain/calls/call-desk.ts';
import type { CallReport } from '../../domain/calls/call-report.ts';
import { admitCall } from '../../domain/attempts/admit-call.ts';
import { createCallDesk } from '../../domain/attempts/create-call-desk.ts';
import { listOrders } from '../../domain/orders/list-orders.ts';
import { readOrder } from '../../domain/orders/read-order.ts';
import { createWorkspace } from './factories.ts';
import { callReport } from './call-report.ts';
import { type InboundEdge, inboundForm } from './inbound-edge.ts';

export const caller = '+12125550133';
export const centMicros = 10_000;
/** One dollar: six minutes. */
export const startMicros = 100 * centMicros;

let numbers = 2_000;

export type InboundWorkspace = Awaited<ReturnType<typeof createInboundWorkspace>>;

export async function createInboundWorkspace(edge: InboundEdge, balanceMicros = startMicros) {
  const { ctx } = edge;
  numbers += 1;
  const number = `+1212555${numbers}`;
  const workspace = await createWorkspace(ctx, { callerNumber: number, balanceMicros });
  const key = { keyId: 'key_test', workspaceId: workspace.id, mode: 'live' } as const;
  await ctx.db`
    update workspaces set default_webhook_url = 'http://127.0.0.1:9/default'
    where id = ${workspace.id}`;
  const orders = async () => (await listOrders(ctx, key, { limit: 50 })).orders;
  return {
    ...workspace,
    number,
    key,
    orders,
    read: (orderId: string) => readOrder(ctx, key, orderId),
    async onlyOrder() {
      const [order, ...others] = await orders();
      if (!order || others.length > 0) throw new Error(`There are ${others.length + 1} orders.`);
      const body = await readOrder(ctx, key, order.order_id);
      if (!body) throw new Error('What is listed can be read.');
      return body;
    },
    wallet: () => readWallet(ctx, workspace.id),
    events: () => ctx.db<{ event: string; url: string; body: Buffer }[]>`
      select event, url, body from deliveries where workspace_id = ${workspace.id}
      order by created_at`,
    /** Somebody calls and the gateway takes the call. */
    async connected(change: { From?: string } = {}) {
      const form = inboundForm({ To: number, From: caller, ...change });
      const { token } = await edge.call(form);
      const admission = await admitCall(ctx, token ?? '', form.CallSid);
      if (admission.kind !== 'admitted') throw new Error('The first socket is admitted.');
      return { form, brief: admission.brief };
    },
    /** The gateway tells the end: twenty seconds of talk, unless said otherwise. */
    async report(call: CallRef, change: Partial<CallReport> = {}) {
      await using desk = await createCallDesk(ctx);
      const now = ctx.clock.now();
      const talkStartedAt = new Date(now.getTime() - 20_000);
      await desk.finish(call, callReport(now, { talkStartedAt, endedBy: 'person', ...change }));
    },
  };
}
