import { z } from 'zod';
import { storeRecording } from '../domain/recordings/store-recording.ts';
import type { TaskFile } from './task-file.ts';

const Payload = z.object({ workspaceId: z.string(), attemptId: z.string() });

export const mixRecordingTask: TaskFile = {
  run: (ctx, payload) => storeRecording(ctx, Payload.parse(payload)),
};
