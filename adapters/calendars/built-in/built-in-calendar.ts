// The calendar that needs no account: opening hours, and nobody but our own calls who could book.
import type { Calendar } from '../../../domain/calls/calendar.ts';
import { openStarts } from '../../../domain/calls/open-slots.ts';

/** Our own table of appointments is this calendar: what is committed there is booked. */
export const builtInCalendar: Calendar = {
  async freeSlots({ hours, minutes, ...window }) {
    const starts = [...openStarts(hours, window, minutes)];
    const slots = starts.map((start) => ({ startTime: start.toISOString(), minutes }));
    return { kind: 'free', slots };
  },
  book: async ({ appointmentId }) => ({ kind: 'booked', calendarEventId: appointmentId }),
  find: async ({ appointmentId }) => ({ kind: 'found', calendarEventId: appointmentId }),
  cancel: async () => 'cancelled',
};
