import { deleteExpiredRecordings } from '../domain/recordings/delete-expired-recordings.ts';
import type { TaskFile } from './task-file.ts';

export const deleteExpiredRecordingsTask: TaskFile = {
  run: (ctx) => deleteExpiredRecordings(ctx),
};
