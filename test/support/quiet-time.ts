// Time that passes while nobody tells anything: only what the tables say is due is done.
import { findNextDue } from '../../domain/orders/due-queries.ts';
import type { CallScene } from './answered-call.ts';
import { runTask } from './run-task.ts';
import { claimDue } from '../../domain/orders/claim-due.ts';

const roundsMax = 200;

/** One look of a worker; deliveries are not its subject. */
export async function lookOnce({ system, network }: CallScene) {
  network.passTime();
  const { tasks } = await claimDue(system.ctx);
  for (const task of tasks) if (task.task !== 'deliver_webhook') await runTask(system.ctx, task);
}

/** Until this holds, or nothing is due any more. */
export async function letTimePassUntil(scene: CallScene, reached: () => Promise<boolean>) {
  const { system, clock } = scene;
  for (let round = 0; round < roundsMax; round++) {
    await lookOnce(scene);
    if (await reached()) return;
    await system.ctx.db`
      update deliveries set state = 'delivered', next_attempt_at = null where state = 'due'`;
    const due = await findNextDue(system.ctx.db, clock.now());
    if (!due) return;
    await clock.turn(Math.max(1, due.getTime() - clock.now().getTime()));
  }
  throw new Error('What was awaited never came.');
}
