// One side of the leads benchmark, in its own process: `floor` inserts the row and nothing else.
import fastify from 'fastify';
import { z } from 'zod';
import { createContextForBench } from './bench-context.ts';
import { insertBareOrder } from './bench-queries.ts';
import { newId } from '../platform/ids.ts';
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
  app.post<{ Body: { phone: string } }>('/v1/hooks/lead/:token', async (request, reply) => {
    const now = ctx.clock.now();
    const id = newId('ord', now);
    const { phone } = request.body;
    await insertBareOrder(ctx.db, { id, phone, consent: request.body, now });
    return reply.code(202).send({ success: true, order_id: id, status: 'QUEUED' });
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.({ port: Number(new URL(address).port) });
}

process.on('message', (message) => {
  if (message === 'memory')
    process.send?.({ rssMb: Math.round(process.memoryUsage().rss / 1_048_576) });
});
process.once('disconnect', () => process.exit(0));
