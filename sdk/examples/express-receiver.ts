// Receives webhooks with Express.
//   SVC_WEBHOOK_SECRET=whsec_… PORT=3000 node express-receiver.ts
import express from 'express';
// In your own program: from '@svc/sdk'.
import { type WebhookEvent, webhooks, WebhookVerificationError } from '../src/index.ts';

/** Two secrets stand for a rotation under way. */
export function createReceiver(
  secrets: string | string[],
  takeEvent: (event: WebhookEvent) => Promise<void> | void,
) {
  const app = express();
  // The signature is over the bytes as they came: no express.json() on this route.
  app.post(
    '/webhooks/calls',
    express.raw({ type: '*/*', limit: '1mb' }),
    async (request, response) => {
      try {
        // Keep it and answer; slow work comes later, since an answer is due within 10 seconds.
        await takeEvent(await webhooks.unwrap(request.body as Buffer, request.headers, secrets));
        response.sendStatus(204);
      } catch (error) {
        // Anything but 2xx is delivered again; a forged request is not worth that.
        response.sendStatus(error instanceof WebhookVerificationError ? 400 : 500);
      }
    },
  );
  return app;
}

if (import.meta.main) {
  const app = createReceiver(process.env['SVC_WEBHOOK_SECRET'] ?? '', (event) => {
    console.log(event.event, event.order_id, event.status);
  });
  app.listen(Number(process.env['PORT'] ?? 3000));
}
