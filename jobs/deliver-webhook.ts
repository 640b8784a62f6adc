import { z } from 'zod';
import { deliverWebhook } from '../domain/webhooks/deliver-webhook.ts';
import type { TaskFile } from './task-file.ts';

const Payload = z.object({ workspaceId: z.string(), deliveryId: z.string(), leaseToken: z.int() });

export const deliverWebhookTask: TaskFile = {
  run: (ctx, payload) => deliverWebhook(ctx, Payload.parse(payload)),
};
