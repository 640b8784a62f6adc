// One side of the reads benchmark, in its own process: `floor` selects the rows and nothing else.
import fastify from 'fastify';
import { z } from 'zod';
import { createContextForBench } from './bench-context.ts';
import { selectBareOrder, selectBareOrders } from './bench-queries.ts';
import { startServer } from '../server/start-server.ts';

const { side, databaseUrl, appSecret } = z
  .object({ side: z.enum(['floor', 'measured']), databaseUrl: z.string(), appSecret: z.string() })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const { ctx } = createContextForBench(databaseUrl, appSecret);

if (side === 'measured') {
  const { port } = await startServer(ctx, { port: 0 });
  process.send?.({ port });
} else {
  const app = fastify({ logger: false });
  app.get<{ Params: { id: string } }>('/v1/orders/:id', async (request) =>
    selectBareOrder(ctx.db, request.params.id),
  );
  app.get('/v1/orders', async () => ({ orders: await selectBareOrders(ctx.db) }));
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.({ port: Number(new URL(address).port) });
}

process.on('message', (message) => {
  if (message === 'memory')
    process.send?.({ rssMb: Math.round(process.memoryUsage().rss / 1_048_576) });
});
process.once('disconnect', () => process.exit(0));
