import { z } from 'zod';
import { dialOrder } from '../domain/dialling/dial-order.ts';
import type { TaskFile } from './task-file.ts';

const Payload = z.object({ workspaceId: z.string(), orderId: z.string() });

export const dialOrderTask: TaskFile = {
  run: (ctx, payload) => dialOrder(ctx, Payload.parse(payload)),
};
