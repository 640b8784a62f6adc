// Binds the real verbs to the HTTP edge and listens.
import type { Context } from '../domain/context.ts';
import { acceptOrder } from '../domain/orders/accept-order.ts';
import { readOrder } from '../domain/orders/read-order.ts';
import { authenticateKey } from '../domain/workspaces/authenticate-key.ts';
import { buildServer } from './http/build-server.ts';
import { registerCarrierRoutes } from './http/carrier.ts';

export async function startServer(ctx: Context, options: { port: number; host?: string }) {
  const app = buildServer(ctx, {
    verbs: {
      authenticateKey: (authorization) => authenticateKey(ctx, authorization),
      acceptOrder: (key, input) => acceptOrder(ctx, key, input),
      readOrder: (key, orderId) => readOrder(ctx, key, orderId),
    },
    scopes: [(scope) => registerCarrierRoutes(scope, ctx)],
  });
  const address = await app.listen({ port: options.port, host: options.host ?? '127.0.0.1' });
  return { app, port: Number(new URL(address).port), stop: () => app.close() };
}
