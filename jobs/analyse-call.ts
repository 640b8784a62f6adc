import { z } from 'zod';
import { analyseCall } from '../domain/attempts/analyse-call.ts';
import type { TaskFile } from './task-file.ts';

const Payload = z.object({ workspaceId: z.string(), orderId: z.string(), tries: z.int() });

export const analyseCallTask: TaskFile = {
  run: (ctx, payload) => analyseCall(ctx, Payload.parse(payload)),
};
