// Binds the real verbs to the HTTP edge and listens.
import type { Context } from '../domain/context.ts';
import { acceptLead } from '../domain/leads/accept-lead.ts';
import { openTriggerUrl } from '../domain/leads/open-trigger-url.ts';
import { createRecordingLink } from '../domain/recordings/create-recording-link.ts';
import { openRecording } from '../domain/recordings/open-recording.ts';
import { readRecordingLink } from '../domain/recordings/recording-link.ts';
import { listAgents } from '../domain/agents/list-agents.ts';
import { acceptOrder } from '../domain/orders/accept-order.ts';
import { listOrders } from '../domain/orders/list-orders.ts';
import { readOrder } from '../domain/orders/read-order.ts';
import { authenticateKey } from '../domain/workspaces/authenticate-key.ts';
import { readMe } from '../domain/workspaces/read-me.ts';
import { takeRead } from '../domain/workspaces/take-read.ts';
import { buildServer } from './http/build-server.ts';
import { registerPaymentRoutes } from './http/payments.ts';
import { registerCarrierRoutes } from './http/carrier.ts';

export async function startServer(ctx: Context, options: { port: number; host?: string }) {
  const app = buildServer(ctx, {
    verbs: {
      authenticateKey: (authorization) => authenticateKey(ctx, authorization),
      acceptOrder: (key, input) => acceptOrder(ctx, key, input),
      openTriggerUrl: (token) => openTriggerUrl(ctx, token),
      acceptLead: (url, posted) => acceptLead(ctx, url, posted),
      readOrder: (key, orderId) => readOrder(ctx, key, orderId),
      takeRead: (key) => takeRead(ctx, key),
      listOrders: (key, query) => listOrders(ctx, key, query),
      readMe: (key) => readMe(ctx, key),
      listAgents: (key) => listAgents(ctx, key),
      readRecordingLink: (orderId, token) =>
        readRecordingLink(ctx.appSecret, { orderId, token, now: ctx.clock.now() }),
      openRecording: (workspaceId, orderId) => openRecording(ctx, workspaceId, orderId),
      createRecordingLink: (workspaceId, orderId) => createRecordingLink(ctx, workspaceId, orderId),
    },
    scopes: [
      (scope) => registerCarrierRoutes(scope, ctx),
      (scope) => (ctx.payments ? registerPaymentRoutes(scope, ctx, ctx.payments) : undefined),
    ],
  });
  const address = await app.listen({ port: options.port, host: options.host ?? '127.0.0.1' });
  return { app, port: Number(new URL(address).port), stop: () => app.close() };
}
