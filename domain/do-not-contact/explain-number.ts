// "Why can I not call?": what the list says of one number, and all that ever happened with it.
import type { Context } from '../context.ts';
import { readTypedPhone } from '../leads/phone-number.ts';
import { findListing, type ListedNumber } from './do-not-contact-queries.ts';
import { findNumberHistory, type NumberEntry } from './history-queries.ts';

export interface NumberExplanation {
  readonly phone: string;
  /** What keeps it from being called and texted; null when nothing does. */
  readonly listed: ListedNumber | null;
  /** Opt-outs, lifts, dials and texts, oldest first; the last thousand. */
  readonly entries: readonly NumberEntry[];
}

/** Null when the number cannot be read. */
export async function explainNumber(
  ctx: Pick<Context, 'db'>,
  workspaceId: string,
  typed: string,
): Promise<NumberExplanation | null> {
  const phone = readTypedPhone(typed);
  if (!phone) return null;
  const [listed, entries] = await Promise.all([
    findListing(ctx.db, workspaceId, phone),
    findNumberHistory(ctx.db, workspaceId, phone),
  ]);
  return { phone, listed, entries };
}
