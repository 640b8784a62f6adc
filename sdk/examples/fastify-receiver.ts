// Receives webhooks with Fastify.
//   SVC_WEBHOOK_SECRET=whsec_… PORT=3000 node fastify-receiver.ts
import fastify from 'fastify';
// In your own program: from '@svc/sdk'.
import { type WebhookEvent, webhooks, WebhookVerificationError } from '../src/index.ts';

/** Two secrets stand for a rotation under way. */
export function createReceiver(
  secrets: string | string[],
  takeEvent: (event: WebhookEvent) => Promise<void> | void,
) {
  const app = fastify();
  app.register(async (scope) => {
    // The signature is over the bytes as they came, so this route takes the body unparsed.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    scope.post<{ Body: Buffer }>('/webhooks/calls', async ({ body, headers }, reply) => {
      try {
        // Keep it and answer; slow work comes later, since an answer is due within 10 seconds.
        await takeEvent(await webhooks.unwrap(body, headers, secrets));
        return await reply.code(204).send();
      } catch (error) {
        // Anything but 2xx is delivered again; a forged request is not worth that.
        return reply.code(error instanceof WebhookVerificationError ? 400 : 500).send();
      }
    });
  });
  return app;
}

if (import.meta.main) {
  const app = createReceiver(process.env['SVC_WEBHOOK_SECRET'] ?? '', (event) => {
    console.log(event.event, event.order_id, event.status);
  });
  await app.listen({ port: Number(process.env['PORT'] ?? 3000) });
}
