import { deleteExpiredRecordings } from '../domain/orders/delete-expired-recordings.ts';
import type { TaskFile } from './task-file.ts';

export const deleteExpiredRecordingsTask: TaskFile = {
  run: (ctx) => deleteExpiredRecordings(ctx),
};
