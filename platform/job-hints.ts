// Tells the job queue that something fell or falls due. A hint may be lost; the pump of each minute finds it.
import type { Clock } from './clock.ts';
import type { Db } from './db.ts';
import type { Logger } from './log.ts';

const limits = {
  /** Hints of this long are sent as one. */
  gatherMs: 10,
  /** What falls due later than this is found by the pump of a later minute. */
  horizonMs: 120_000,
  /** Due times within one such step share a hint. */
  stepMs: 100,
} as const;

export interface JobHints {
  readonly wake: (dueAt: Date) => void;
  /** Sends what was gathered and takes no more. */
  readonly close: () => Promise<void>;
}

export function createJobHints(db: Db, clock: Clock, log: Logger): JobHints {
  const delaysMs = new Set<number>();
  let sending: Promise<void> = Promise.resolve();
  let gathering = false;
  const send = async () => {
    gathering = false;
    const due = [...delaysMs];
    delaysMs.clear();
    if (due.length === 0) return;
    try {
      await db`
        select graphile_worker.add_job('pump',
          run_at => now() + delay_ms * interval '1 millisecond')
        from unnest(${due}::int[]) as delay_ms`;
    } catch (err) {
      log.warn({ err }, 'job hint was not sent');
    }
  };
  return {
    wake(dueAt) {
      const delayMs = Math.max(0, dueAt.getTime() - clock.now().getTime());
      if (delayMs > limits.horizonMs) return;
      delaysMs.add(Math.ceil(delayMs / limits.stepMs) * limits.stepMs);
      if (gathering) return;
      gathering = true;
      clock.setTimer(() => void (sending = sending.then(send)), limits.gatherMs);
    },
    async close() {
      await sending;
      await send();
    },
  };
}
