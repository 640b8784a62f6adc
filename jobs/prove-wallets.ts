import { proveLately } from '../domain/billing/prove-wallets.ts';
import type { TaskFile } from './task-file.ts';

export const proveWalletsTask: TaskFile = {
  async run(ctx) {
    await proveLately(ctx);
  },
};
