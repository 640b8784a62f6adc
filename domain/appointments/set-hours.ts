// Changes when appointments may be, and how much is kept free around them; what is not named stays as it is.
import type { Context } from '../context.ts';
import { findCalendar, updateHours } from './calendar-queries.ts';
import { CalendarHours } from './opening-rules.ts';

export type SetHoursResult =
  | { readonly kind: 'set'; readonly hours: CalendarHours }
  | { readonly kind: 'unknown_workspace' }
  /** One line per wrong field. */
  | { readonly kind: 'invalid'; readonly message: string };

export async function setHours(
  ctx: Context,
  workspaceId: string,
  change: { readonly [Field in keyof CalendarHours]?: unknown },
): Promise<SetHoursResult> {
  const present = await findCalendar(ctx.db, workspaceId);
  if (!present) return { kind: 'unknown_workspace' };
  const hours = CalendarHours.safeParse({ ...present, ...change });
  if (!hours.success) {
    const lines = hours.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    return { kind: 'invalid', message: lines.join('\n') };
  }
  await updateHours(ctx.db, workspaceId, hours.data);
  return { kind: 'set', hours: hours.data };
}
