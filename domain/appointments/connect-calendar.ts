// Connects a workspace to a calendar, after that calendar has answered once with these credentials.
import type { CalendarConnection, CalendarProblem } from '../calls/calendar.ts';
import type { Context } from '../context.ts';
import { sealCredentials } from './calendar-credentials.ts';
import { connectCalendar as storeConnection, findCalendar } from './calendar-queries.ts';

export type ConnectResult =
  /** Free times of the coming days; none may be a sign of wrong settings. */
  | { readonly kind: 'connected'; readonly freeSlots: number }
  | { readonly kind: 'unknown_workspace' }
  /** The settings or the credentials are not of the kind that this calendar takes. */
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'refused'; readonly problem: CalendarProblem };

const probeMinutes = 30;

export async function connectCalendar(
  ctx: Context,
  workspaceId: string,
  connection: CalendarConnection & { readonly settings: object },
): Promise<ConnectResult> {
  const hours = await findCalendar(ctx.db, workspaceId);
  if (!hours) return { kind: 'unknown_workspace' };
  const now = ctx.clock.now();
  const opened = openSafely(ctx, connection);
  if ('message' in opened) return { kind: 'invalid', message: opened.message };
  const free = await opened.calendar.freeSlots({
    from: now,
    to: new Date(now.getTime() + hours.horizonDays * 86_400_000),
    minutes: probeMinutes,
    hours,
    bufferBeforeMinutes: 0,
    bufferAfterMinutes: 0,
  });
  if (free.kind === 'unavailable') return { kind: 'refused', problem: free.problem };
  const { kind, settings, credentials } = connection;
  const credentialsSealed = credentials && sealCredentials(ctx.appSecret, credentials);
  await storeConnection(ctx.db, { workspaceId, kind, settings, credentialsSealed });
  ctx.log.info({ workspaceId, kind }, 'calendar connected');
  return { kind: 'connected', freeSlots: free.slots.length };
}

/** Adapters refuse by throwing what they cannot read; the message names fields, never values. */
function openSafely(ctx: Context, connection: CalendarConnection) {
  try {
    return { calendar: ctx.openCalendar(connection) };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}
