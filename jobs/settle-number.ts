import { z } from 'zod';
import { settleDueNumber } from '../domain/workspaces/settle-numbers.ts';
import type { TaskFile } from './task-file.ts';

const Payload = z.object({ workspaceId: z.string(), numberId: z.string() });

export const settleNumberTask: TaskFile = {
  run: (ctx, payload) => settleDueNumber(ctx, Payload.parse(payload)),
};
