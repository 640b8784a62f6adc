// The calendar that needs no account: opening hours and bookings in our own tables.
import type { Calendar } from '../../domain/calls/calendar.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { findBooked, findOpeningHours, insertAppointment } from './built-in-calendar-queries.ts';
import { openStarts } from './open-starts.ts';

const limits = {
  /** The soonest slot leaves this much time. */
  noticeMinutes: 60,
  searchDays: 14,
} as const;

export function createBuiltInCalendar(db: Db, clock: Clock): Calendar {
  return {
    async freeSlots({ workspaceId, from, minutes, count }) {
      const hours = await findOpeningHours(db, workspaceId);
      if (!hours) return [];
      const earliest = new Date(from.getTime() + limits.noticeMinutes * 60_000);
      const latest = new Date(from.getTime() + limits.searchDays * 24 * 60 * 60_000);
      const booked = await findBooked(db, workspaceId, earliest, latest);
      const free = [];
      for (const start of openStarts(hours, earliest, latest, minutes)) {
        const end = start.getTime() + minutes * 60_000;
        if (booked.some((taken) => overlaps(taken, start.getTime(), end))) continue;
        free.push({ startTime: start.toISOString(), minutes });
        if (free.length === count) break;
      }
      return free;
    },
    async book(call, slot) {
      const now = clock.now();
      const booked = await insertAppointment(db, call, slot, newId('cal', now), now);
      return booked
        ? { kind: 'booked', startTime: slot.startTime, calendarEventId: booked }
        : { kind: 'taken' };
    },
  };
}

function overlaps(taken: { startAt: Date; minutes: number }, start: number, end: number): boolean {
  const takenStart = taken.startAt.getTime();
  return takenStart < end && start < takenStart + taken.minutes * 60_000;
}
