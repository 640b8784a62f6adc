// The calendar port: free times and bookings of one workspace.
import type { BookingResult, CallRef, Slot } from './call-desk.ts';

export interface Calendar {
  /** Free starts of the given length after `from`, soonest first. */
  freeSlots(query: {
    workspaceId: string;
    from: Date;
    minutes: number;
    count: number;
  }): Promise<readonly Slot[]>;
  /** Books once per call and start; a repeat answers the first booking. */
  book(call: CallRef, slot: Slot): Promise<BookingResult>;
}
