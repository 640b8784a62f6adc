// What a calendar is told of an appointment. Pure.
import type { Slot } from '../calls/call-desk.ts';
import type { BookingRequest } from '../calls/calendar.ts';
import type { OrderFile } from '../orders/order-queries.ts';

export function bookingRequest(
  { order, agent }: Pick<OrderFile, 'order' | 'agent'>,
  timezone: string,
  appointmentId: string,
  slot: Slot,
): BookingRequest {
  return {
    appointmentId,
    orderId: order.id,
    slot,
    timezone,
    businessName: agent.businessName,
    attendee: { firstName: order.firstName, phone: order.phone },
  };
}
