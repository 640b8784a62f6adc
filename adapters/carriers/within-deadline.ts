// One hard deadline for a request, whatever a vendor's client means by its timeout.
import { systemClock } from '../../platform/clock.ts';

const clock = systemClock();

/** Clients' own timeouts start again with every byte, or end with the headers. Rejects with code ETIMEDOUT. */
export function withinDeadline<Answer>(
  answer: Promise<Answer>,
  timeoutMs: number,
): Promise<Answer> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = clock.setTimer(
    () => reject(Object.assign(new Error('carrier took too long'), { code: 'ETIMEDOUT' })),
    timeoutMs,
  );
  return Promise.race([answer, promise]).finally(() => timer.cancel());
}
