// Named SQL of calendars: which one a workspace uses, and its hours.
import type { Db } from '../../platform/db.ts';
import type { CalendarKind, CalendarProblem } from '../calls/calendar.ts';
import type { OpeningHours } from '../calls/open-slots.ts';

export interface CalendarRow extends OpeningHours {
  readonly kind: CalendarKind;
  readonly settings: unknown;
  readonly credentialsSealed: string | null;
  readonly bufferBeforeMinutes: number;
  readonly bufferAfterMinutes: number;
  readonly noticeMinutes: number;
  readonly horizonDays: number;
  readonly brokenReason: CalendarProblem | null;
  readonly brokenAt: Date | null;
}

export async function findCalendar(db: Db, workspaceId: string): Promise<CalendarRow | null> {
  const [row] = await db<CalendarRow[]>`
    select kind, settings, credentials_sealed, timezone, opening_hours, start_every_minutes,
      buffer_before_minutes, buffer_after_minutes, notice_minutes, horizon_days, broken_reason, broken_at
    from calendars where workspace_id = ${workspaceId}`;
  return row ?? null;
}

export interface Connection {
  readonly workspaceId: string;
  readonly kind: CalendarKind;
  readonly settings: object;
  readonly credentialsSealed: string | null;
}

/** Hours and buffers stay as they are; a calendar that is connected anew is not broken. */
export async function connectCalendar(db: Db, connection: Connection): Promise<boolean> {
  const rows = await db`
    update calendars set kind = ${connection.kind}, settings = ${db.json(connection.settings as never)},
      credentials_sealed = ${connection.credentialsSealed}, broken_reason = null, broken_at = null
    where workspace_id = ${connection.workspaceId} returning 1`;
  return rows.length > 0;
}

/** Only while the same credentials are in use: a connection made meanwhile is not blamed. */
export async function markBroken(
  db: Db,
  workspaceId: string,
  broken: { credentialsSealed: string | null; reason: CalendarProblem; now: Date },
) {
  await db`
    update calendars set broken_reason = ${broken.reason}, broken_at = ${broken.now}
    where workspace_id = ${workspaceId} and broken_reason is null
      and credentials_sealed is not distinct from ${broken.credentialsSealed}`;
}

export type HoursChange = OpeningHours &
  Pick<CalendarRow, 'bufferBeforeMinutes' | 'bufferAfterMinutes' | 'noticeMinutes' | 'horizonDays'>;

export async function updateHours(db: Db, workspaceId: string, hours: HoursChange) {
  await db`
    update calendars set timezone = ${hours.timezone},
      opening_hours = ${db.json(hours.openingHours as never)},
      start_every_minutes = ${hours.startEveryMinutes},
      buffer_before_minutes = ${hours.bufferBeforeMinutes},
      buffer_after_minutes = ${hours.bufferAfterMinutes},
      notice_minutes = ${hours.noticeMinutes}, horizon_days = ${hours.horizonDays}
    where workspace_id = ${workspaceId}`;
}
