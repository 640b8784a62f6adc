// Named SQL of appointments: times held for a call, asked of its calendar, booked, cancelled.
import type { Db } from '../../platform/db.ts';
import type { CallRef, Slot } from '../calls/call-desk.ts';
import type { CalendarKind } from '../calls/calendar.ts';

export interface Buffers {
  readonly bufferBeforeMinutes: number;
  readonly bufferAfterMinutes: number;
}

/** Holds the first `count` times that no other call has; answers those, soonest first. */
export async function holdSlots(
  db: Db,
  call: CallRef,
  proposed: readonly (Slot & { readonly id: string })[],
  terms: Buffers & { count: number; now: Date; heldUntil: Date },
): Promise<Date[]> {
  const slots = proposed.map(({ id, startTime, minutes }) => ({
    id,
    start_at: startTime,
    minutes,
  }));
  const [row] = await db<[{ starts: Date[] }]>`
    select hold_slots(${call.workspaceId}, ${call.attemptId}, ${db.json(slots)}, ${terms.count}::int,
      ${terms.bufferBeforeMinutes}::int, ${terms.bufferAfterMinutes}::int, ${terms.now},
      ${terms.heldUntil}) as starts`;
  return row.starts;
}

export type Asked =
  | { readonly outcome: 'asked'; readonly id: string }
  | { readonly outcome: 'taken' | 'call_over' }
  | {
      readonly outcome: 'known';
      readonly id: string;
      readonly state: 'asked' | 'booked';
      readonly start_at: string;
      readonly minutes: number;
      readonly calendar_kind: CalendarKind;
      readonly calendar_event_id: string | null;
    };

export async function askAppointment(
  db: Db,
  call: CallRef,
  slot: Slot,
  terms: Buffers & { id: string; kind: CalendarKind; now: Date; settleAt: Date },
): Promise<Asked> {
  const [row] = await db<[{ asked: Asked }]>`
    select ask_appointment(${call.workspaceId}, ${call.attemptId}, ${terms.id}, ${slot.startTime}::timestamptz,
      ${slot.minutes}::int, ${terms.bufferBeforeMinutes}::int, ${terms.bufferAfterMinutes}::int, ${terms.kind},
      ${terms.now}, ${terms.settleAt}) as asked`;
  return row.asked;
}

/** The calendar confirmed. False when the call can no longer be told, or its request was given up. */
export async function confirmAppointment(
  db: Db,
  call: CallRef,
  id: string,
  calendarEventId: string,
): Promise<boolean> {
  const [row] = await db<[{ confirmed: boolean }]>`
    select confirm_appointment(${call.workspaceId}, ${call.attemptId}, ${id}, ${calendarEventId}) as confirmed`;
  return row.confirmed;
}

export async function cancelAppointment(db: Db, workspaceId: string, id: string, now: Date) {
  await db`
    update appointments set state = 'cancelled', cancelled_at = ${now}, settle_at = null, lease_until = null
    where workspace_id = ${workspaceId} and id = ${id} and state in ('asked', 'booked')`;
}

/** What the calendar confirmed to this call, or null; nothing is booked for it from here on. */
export async function closeBooking(db: Db, call: CallRef, now: Date) {
  const [row] = await db<{ startAt: Date; calendarEventId: string }[]>`
    select * from close_booking(${call.workspaceId}, ${call.attemptId}, ${now})`;
  if (!row) return null;
  return { startTime: row.startAt.toISOString(), calendarEventId: row.calendarEventId };
}

export interface UnsettledAppointment {
  readonly state: 'asked' | 'booked';
  readonly startAt: Date;
  readonly minutes: number;
  readonly askedAt: Date;
  readonly calendarKind: CalendarKind;
  readonly calendarEventId: string | null;
  readonly orderId: string;
  readonly attemptId: string;
  readonly attemptLive: boolean;
  /** Whether the order tells of this very event. */
  readonly reported: boolean;
}

export async function findUnsettled(db: Db, workspaceId: string, id: string) {
  const [row] = await db<UnsettledAppointment[]>`
    select p.state, p.start_at, p.minutes, p.asked_at, p.calendar_kind, p.calendar_event_id,
      a.order_id, p.attempt_id, a.state not in ('ended', 'not_placed') as attempt_live,
      coalesce(o.appointment->>'calendar_event_id' = p.calendar_event_id, false) as reported
    from appointments p
    join attempts a on a.workspace_id = p.workspace_id and a.id = p.attempt_id
    join orders o on o.workspace_id = a.workspace_id and o.id = a.order_id
    where p.workspace_id = ${workspaceId} and p.id = ${id} and p.state in ('asked', 'booked')
      and p.settle_at is not null`;
  return row ?? null;
}

/** Null when it agrees with the order for good. */
export async function settleLater(db: Db, workspaceId: string, id: string, at: Date | null) {
  await db`
    update appointments set settle_at = ${at}, lease_until = null
    where workspace_id = ${workspaceId} and id = ${id}`;
}
