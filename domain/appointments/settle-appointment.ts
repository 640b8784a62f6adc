// Holds an appointment against its calendar and its order once the call is over: nothing stays booked that no order
// tells of, and nothing stays open. Safe to run twice.
import type { Context } from '../context.ts';
import { findOrderFile } from '../orders/order-queries.ts';
import * as queries from './appointment-queries.ts';
import { bookingRequest } from './booking-request.ts';
import { openWorkspaceCalendar, type WorkspaceCalendar } from './open-workspace-calendar.ts';

const limits = { lookAgainMinutes: 2, giveUpAfterHours: 48 } as const;

interface Ref {
  readonly workspaceId: string;
  readonly appointmentId: string;
}

export async function settleAppointment(ctx: Context, ref: Ref): Promise<void> {
  const { workspaceId, appointmentId } = ref;
  const found = await queries.findUnsettled(ctx.db, workspaceId, appointmentId);
  if (!found) return;
  const now = ctx.clock.now();
  const again = new Date(now.getTime() + limits.lookAgainMinutes * 60_000);
  if (found.attemptLive) return queries.settleLater(ctx.db, workspaceId, appointmentId, again);
  if (found.state === 'booked' && found.reported)
    return queries.settleLater(ctx.db, workspaceId, appointmentId, null);
  const removed = await removeFromCalendar(ctx, ref, found);
  if (removed) {
    await queries.cancelAppointment(ctx.db, workspaceId, appointmentId, now);
    ctx.log.info({ appointmentId, attemptId: found.attemptId }, 'unreported appointment cancelled');
    return;
  }
  const givesUp = now.getTime() - found.askedAt.getTime() > limits.giveUpAfterHours * 3_600_000;
  if (givesUp) ctx.log.error({ appointmentId, workspaceId }, 'appointment cannot be settled');
  await queries.settleLater(ctx.db, workspaceId, appointmentId, givesUp ? null : again);
}

/** True when the calendar surely holds nothing of it. */
async function removeFromCalendar(
  ctx: Context,
  ref: Ref,
  found: queries.UnsettledAppointment,
): Promise<boolean> {
  const calendar = await openWorkspaceCalendar(ctx, ref.workspaceId);
  if (!calendar || calendar.row.kind !== found.calendarKind) return false;
  const eventId = found.calendarEventId ?? (await lookUp(ctx, ref, found, calendar));
  if (eventId === 'unknown') return false;
  return eventId === null || (await calendar.cancel(eventId)) === 'cancelled';
}

async function lookUp(
  ctx: Context,
  ref: Ref,
  found: queries.UnsettledAppointment,
  calendar: WorkspaceCalendar,
): Promise<string | null> {
  const file = await findOrderFile(ctx.db, ref.workspaceId, found.orderId);
  if (!file) return null;
  const slot = { startTime: found.startAt.toISOString(), minutes: found.minutes };
  const looked = await calendar.find(
    bookingRequest(file, calendar.row.timezone, ref.appointmentId, slot),
  );
  if (looked.kind === 'found') return looked.calendarEventId;
  return looked.kind === 'absent' ? null : 'unknown';
}
