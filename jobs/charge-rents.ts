import { chargeRents } from '../domain/billing/charge-rents.ts';
import type { TaskFile } from './task-file.ts';

export const chargeRentsTask: TaskFile = {
  run: (ctx) => chargeRents(ctx),
};
