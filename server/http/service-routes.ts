// What operators and tools ask of the server itself: is it alive, is it ready, what does it speak.
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { EdgeContext } from './edge.ts';
import { sendError } from './error-answer.ts';
import { logFailure } from './log-failure.ts';

export function registerServiceRoutes(app: FastifyInstance, ctx: EdgeContext): void {
  const document = readFileSync(new URL('../../openapi/openapi.json', import.meta.url));

  app.get('/healthz', () => ({ success: true }));

  app.get('/readyz', async (request, reply) => {
    const ready = await readReadiness(ctx, request.id);
    const missing = Object.entries(ready).flatMap(([part, works]) => (works ? [] : [part]));
    if (missing.length === 0) return { success: true };
    return sendError(reply, 'unavailable', { message: `Not ready: ${missing.join(' and ')}.` });
  });

  app.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(document),
  );
}

async function readReadiness(
  ctx: EdgeContext,
  requestId: string,
): Promise<{ database: boolean; queue: boolean }> {
  try {
    return await ctx.readiness();
  } catch (error) {
    logFailure(ctx, error, { requestId });
    return { database: false, queue: false };
  }
}
