import { z } from 'zod';
import { reconcileAttempt } from '../domain/attempts/reconcile-attempt.ts';
import type { TaskFile } from './task-file.ts';

const Payload = z.object({ workspaceId: z.string(), attemptId: z.string() });

export const reconcileAttemptTask: TaskFile = {
  run: (ctx, payload) => reconcileAttempt(ctx, Payload.parse(payload), 'due'),
};
