// One hard end for a request, whatever the library below does with its own time limits.
import type { Clock } from '../../platform/clock.ts';

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Rejects with DeadlineError when the time is over, and aborts what was asked. */
export async function within<Answer>(
  clock: Clock,
  limitMs: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const controller = new AbortController();
  const timer = clock.setTimer(() => {
    const error = new DeadlineError('The calendar took too long.');
    controller.abort(error);
    reject(error);
  }, limitMs);
  try {
    return await Promise.race([ask(controller.signal), over]);
  } finally {
    timer.cancel();
  }
}
