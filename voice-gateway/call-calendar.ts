// The calendar as a live call sees it: it answers in time or counts as unavailable, and never fails the call.
import type { BrainTools } from '../domain/calls/brain.ts';
import type { BookingResult, CallBrief, CallDesk, Slot } from '../domain/calls/call-desk.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';

const limits = {
  /** Every time that one call is offered is kept from all others meanwhile. */
  slots: 8,
  /** For all that one reply asks of it; a reply that thinks much longer ends the call. */
  patienceMs: 7_000,
} as const;

export interface Booking {
  readonly startTime: string;
  readonly calendarEventId: string;
}

export interface CallCalendar {
  /** For one reply, whose patience begins now, and anew when the person talks on and the signal aborts it. */
  tools(signal: AbortSignal): Pick<BrainTools, 'checkSlots' | 'book'>;
  booking(): Booking | null;
  /** Whether it could not be asked or could not book at the last try. */
  failed(): boolean;
}

export function createCallCalendar(options: {
  brief: CallBrief;
  desk: CallDesk;
  clock: Clock;
  log: Logger;
}): CallCalendar {
  const { brief, desk, clock, log } = options;
  let booking: Booking | null = null;
  let failed = false;
  /** Requests that nobody waits for any more; while there are any the calendar counts as away. */
  let late = 0;

  const ask = async <Answer>(wait: Wait, request: () => Promise<Answer>) => {
    if (late > 0) return fail(wait);
    const answer = request().catch((error: unknown) => {
      log.error({ err: error }, 'calendar request of a live call failed');
      return 'unavailable' as const;
    });
    const answered = new AbortController();
    const inTime = await Promise.race([answer, wait.over(answered.signal)]);
    answered.abort();
    if (inTime === 'late') {
      late += 1;
      void answer.finally(() => void (late -= 1));
    }
    if (inTime === 'late' || inTime === 'unavailable') return fail(wait);
    failed = false;
    return inTime;
  };
  const fail = (wait: Wait) => {
    // Words of an aborted reply are not heard, so nobody was told.
    failed ||= !wait.signal.aborted;
    return 'unavailable' as const;
  };
  /** What comes late counts only while the person was not told that nothing can be booked. */
  const keep = (result: BookingResult): BookingResult => {
    if (result.kind === 'booked' && !failed)
      booking = { startTime: result.startTime, calendarEventId: result.calendarEventId };
    return result;
  };
  const book = async (wait: Wait, slot: Slot): Promise<BookingResult> => {
    if (booking) return { kind: 'booked', ...booking };
    if (late === 0) failed = false;
    const result = await ask(wait, async () => keep(await desk.book(brief, slot)));
    if (result === 'unavailable') return { kind: 'unavailable' };
    failed = result.kind === 'unavailable';
    return result;
  };
  return {
    tools(signal) {
      const wait = createWait(clock, signal);
      return {
        checkSlots: (count) =>
          ask(wait, () => desk.freeSlots(brief, Math.min(count, limits.slots))),
        book: (slot) => book(wait, slot),
      };
    },
    booking: () => booking,
    failed: () => failed,
  };
}

interface Wait {
  readonly signal: AbortSignal;
  /** Resolves when the patience of the reply is used up, or nothing is waited for any more. */
  over(answered: AbortSignal): Promise<'late'>;
}

function createWait(clock: Clock, signal: AbortSignal): Wait {
  const begunMs = clock.monotonicMs();
  const over = async (answered: AbortSignal) => {
    const leftMs = begunMs + limits.patienceMs - clock.monotonicMs();
    await clock.sleep(leftMs, AbortSignal.any([signal, answered]));
    if (signal.aborted) await clock.sleep(limits.patienceMs, answered);
    return 'late' as const;
  };
  return { signal, over };
}
