import { z } from 'zod';
import { sendText } from '../domain/texts/send-text.ts';
import type { TaskFile } from './task-file.ts';

const Payload = z.object({ workspaceId: z.string(), textId: z.string() });

export const sendTextTask: TaskFile = {
  run: (ctx, payload) => sendText(ctx, Payload.parse(payload)),
};
