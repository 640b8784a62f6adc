// Which calendar a workspace uses, whether it works, and its hours; never the credentials.
import type { Context } from '../context.ts';
import { findCalendar } from './calendar-queries.ts';

export async function readCalendar(ctx: Context, workspaceId: string) {
  const row = await findCalendar(ctx.db, workspaceId);
  if (!row) return null;
  const { credentialsSealed: _sealed, brokenReason, brokenAt, ...shown } = row;
  return { connected: brokenReason === null, brokenReason, brokenAt, ...shown };
}
