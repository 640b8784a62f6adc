import { lookUpDeposits } from '../domain/billing/look-up-deposits.ts';
import type { TaskFile } from './task-file.ts';

export const lookUpDepositsTask: TaskFile = {
  run: (ctx) => lookUpDeposits(ctx),
};
