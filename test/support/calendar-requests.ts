// Questions to a calendar as a call asks them: a Tuesday at ten in New York, open at every hour.
import type { BookingRequest, SlotQuery } from '../../domain/calls/calendar.ts';

export const ten = '2026-11-24T15:00:00.000Z';
export const eleven = '2026-11-24T16:00:00.000Z';

export const slotQuery: SlotQuery = {
  from: new Date('2026-11-24T14:30:00Z'),
  to: new Date('2026-11-24T18:00:00Z'),
  minutes: 60,
  hours: {
    timezone: 'America/New_York',
    openingHours: Array.from({ length: 7 }, () => ['00:00', '24:00'] as const),
    startEveryMinutes: 60,
  },
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 0,
};

export function bookingAt(startTime: string, appointmentId = 'cal_one'): BookingRequest {
  return {
    appointmentId,
    orderId: 'ord_one',
    slot: { startTime, minutes: 60 },
    timezone: 'America/New_York',
    businessName: 'Summit Roofing',
    attendee: { firstName: 'Dana', phone: '+12125550101' },
  };
}
