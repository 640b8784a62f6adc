import { z } from 'zod';
import { sendVoicemailText } from '../domain/orders/send-voicemail-text.ts';
import type { TaskFile } from './task-file.ts';

const Payload = z.object({ workspaceId: z.string(), textId: z.string() });

export const sendTextTask: TaskFile = {
  run: (ctx, payload) => sendVoicemailText(ctx, Payload.parse(payload)),
};
