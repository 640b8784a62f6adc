// Named SQL of the built-in calendar.
import type { CallRef, Slot } from '../../domain/calls/call-desk.ts';
import type { Db } from '../../platform/db.ts';
import type { OpeningHours } from './open-starts.ts';

export async function findOpeningHours(db: Db, workspaceId: string): Promise<OpeningHours | null> {
  const [row] = await db<OpeningHours[]>`
    select timezone, opening_hours from calendars where workspace_id = ${workspaceId}`;
  return row ?? null;
}

export async function findBooked(db: Db, workspaceId: string, from: Date, to: Date) {
  return db<{ startAt: Date; minutes: number }[]>`
    select start_at, minutes from appointments
    where workspace_id = ${workspaceId} and cancelled_at is null
      and start_at + minutes * interval '1 minute' > ${from} and start_at < ${to}`;
}

/** The id of the booking of this call at this start; null when another call took an overlapping time. */
export async function insertAppointment(
  db: Db,
  call: CallRef,
  slot: Slot,
  id: string,
  now: Date,
): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    with mine as (
      select id from appointments where workspace_id = ${call.workspaceId}
        and attempt_id = ${call.attemptId} and start_at = ${slot.startTime} and cancelled_at is null
    ), inserted as (
      insert into appointments (workspace_id, id, attempt_id, start_at, minutes, created_at)
      select ${call.workspaceId}, ${id}, ${call.attemptId}, ${slot.startTime}, ${slot.minutes}, ${now}
      where not exists (select from mine)
      on conflict do nothing returning id)
    select id from mine union all select id from inserted`;
  return row?.id ?? null;
}
