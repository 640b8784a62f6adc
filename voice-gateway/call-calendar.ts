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
  /** For one reply, whose patience begins now. */
  tools(): Pick<BrainTools, 'checkSlots' | 'book'>;
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

  const ask = async <Answer>(deadlineMs: number, request: () => Promise<Answer>) => {
    const answer = await inTime(clock, deadlineMs, request).catch((error: unknown) => {
      log.error({ err: error }, 'calendar request of a live call failed');
      return 'unavailable' as const;
    });
    failed = answer === 'unavailable';
    return answer;
  };
  const book = async (slot: Slot, deadlineMs: number): Promise<BookingResult> => {
    if (booking) return { kind: 'booked', ...booking };
    const result = await ask(deadlineMs, () => desk.book(brief, slot));
    if (result === 'unavailable') return { kind: 'unavailable' };
    failed = result.kind === 'unavailable';
    if (result.kind === 'booked')
      booking = { startTime: result.startTime, calendarEventId: result.calendarEventId };
    return result;
  };
  return {
    tools() {
      const deadlineMs = clock.monotonicMs() + limits.patienceMs;
      return {
        checkSlots: (count) =>
          ask(deadlineMs, () => desk.freeSlots(brief, Math.min(count, limits.slots))),
        book: (slot) => book(slot, deadlineMs),
      };
    },
    booking: () => booking,
    failed: () => failed,
  };
}

/** What comes later is not heard of any more: the desk keeps no booking that the report does not tell of. */
async function inTime<Answer>(clock: Clock, deadlineMs: number, request: () => Promise<Answer>) {
  const leftMs = deadlineMs - clock.monotonicMs();
  if (leftMs <= 0) return 'unavailable' as const;
  const answered = new AbortController();
  const late = clock.sleep(leftMs, answered.signal).then(() => 'unavailable' as const);
  try {
    return await Promise.race([request(), late]);
  } finally {
    answered.abort();
  }
}
