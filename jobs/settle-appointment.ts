import { z } from 'zod';
import { settleAppointment } from '../domain/appointments/settle-appointment.ts';
import type { TaskFile } from './task-file.ts';

const Payload = z.object({ workspaceId: z.string(), appointmentId: z.string() });

export const settleAppointmentTask: TaskFile = {
  run: (ctx, payload) => settleAppointment(ctx, Payload.parse(payload)),
};
