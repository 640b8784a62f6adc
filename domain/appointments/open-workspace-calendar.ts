// The calendar that a workspace has connected, ready to be asked.
import type { Calendar, CalendarProblem } from '../calls/calendar.ts';
import type { Context } from '../context.ts';
import { openCredentials } from './calendar-credentials.ts';
import { findCalendar, markBroken, type CalendarRow } from './calendar-queries.ts';

export interface WorkspaceCalendar extends Calendar {
  readonly row: CalendarRow;
  /** Keeps what only the workspace can mend, so that it is shown and no further call tries. */
  noteProblem(problem: CalendarProblem): Promise<void>;
}

/** Null when none is connected, or its connection no longer works. */
export async function openWorkspaceCalendar(
  ctx: Context,
  workspaceId: string,
): Promise<WorkspaceCalendar | null> {
  const row = await findCalendar(ctx.db, workspaceId);
  if (!row || row.brokenReason !== null) return null;
  const { kind, settings, credentialsSealed } = row;
  const credentials = credentialsSealed && openCredentials(ctx.appSecret, credentialsSealed);
  if (credentialsSealed && !credentials) {
    ctx.log.error({ workspaceId, kind }, 'calendar credentials cannot be opened');
    return null;
  }
  return {
    ...ctx.openCalendar({ kind, settings, credentials }),
    row,
    async noteProblem(problem) {
      ctx.log.warn({ workspaceId, kind, problem }, 'calendar did not do what it was asked');
      if (problem !== 'access_revoked' && problem !== 'not_found') return;
      const now = ctx.clock.now();
      await markBroken(ctx.db, workspaceId, { credentialsSealed, reason: problem, now });
    },
  };
}
