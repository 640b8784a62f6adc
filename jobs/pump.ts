// Each minute, and at once on a hint: claim what is due and put it to work.
import { claimDue } from '../domain/orders/claim-due.ts';
import type { TaskFile } from './task-file.ts';

/** A claimed item that fails is claimed again when its lease ends; the queue itself retries briefly. */
const attemptsMax = 3;

export const pumpTask: TaskFile = {
  async run(ctx, payload, helpers) {
    const { tasks, nextDueAt, lookAgainAt } = await claimDue(ctx);
    if (tasks.length > 0)
      await helpers.addJobs(
        tasks.map(({ task, ...ids }) => ({
          identifier: task,
          payload: ids,
          maxAttempts: attemptsMax,
        })),
      );
    if (lookAgainAt) ctx.wakeJobs(lookAgainAt);
    // One chain of look-aheads is enough; every other pump was hinted for what it found.
    if (nextDueAt && ('_cron' in payload || tasks.length > 0)) ctx.wakeJobs(nextDueAt);
  },
};
