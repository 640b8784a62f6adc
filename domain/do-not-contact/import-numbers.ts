// Puts a file of numbers on the list. What can be read counts at once; a bad line holds up no other.
import type { Context } from '../context.ts';
import { actOnOptOut } from './act-on-opt-out.ts';
import { suppressNumbers } from './do-not-contact-queries.ts';
import type { Member } from '../workspaces/member-queries.ts';
import { readImport } from './read-import.ts';

const numbersPerStatement = 500;

export interface ImportAnswer {
  readonly added: number;
  readonly listedBefore: number;
  /** Nothing of these lines was taken; the file can be corrected and imported again. */
  readonly unreadableLines: readonly number[];
}

/** Safe to repeat. A number without a reason of its own gets the import's. */
export async function importNumbers(
  ctx: Context,
  workspaceId: string,
  file: { by: Member; text: string; reason: string | null },
): Promise<ImportAnswer> {
  const { numbers, unreadableLines } = readImport(file.text);
  const { userId: actor } = file.by;
  let added = 0;
  for (let start = 0; start < numbers.length; start += numbersPerStatement) {
    const part = numbers
      .slice(start, start + numbersPerStatement)
      .map(({ phone, reason }) => ({ phone, reason: reason ?? file.reason }));
    added += await suppressNumbers(ctx.db, { workspaceId, actor, numbers: part }, ctx.clock.now());
    const phones = part.map(({ phone }) => phone);
    await actOnOptOut(ctx, workspaceId, phones);
  }
  ctx.log.info(
    { workspaceId, actor, added, unreadable: unreadableLines.length },
    'do-not-contact file imported',
  );
  return { added, listedBefore: numbers.length - added, unreadableLines };
}
