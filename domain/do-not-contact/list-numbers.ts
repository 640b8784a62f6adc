// The list of a workspace, page by page, and a search in it.
import type { Context } from '../context.ts';
import { findListedNumbers, type ListedNumber } from './do-not-contact-queries.ts';

export interface NumberPage {
  readonly numbers: readonly ListedNumber[];
  /** `after` of the next page; null on the last one. */
  readonly nextAfter: string | null;
}

/** In order of number. `search` may be any part of a number in any spelling; 100 a page unless told. */
export async function listNumbers(
  ctx: Pick<Context, 'db'>,
  workspaceId: string,
  page: { search?: string; after?: string | null; limit?: number } = {},
): Promise<NumberPage> {
  const { search = '', after, limit = 100 } = page;
  const digits = search.normalize('NFKC').replace(/\D/g, '');
  // Words without a digit are in no number.
  if (search.trim() !== '' && digits === '') return { numbers: [], nextAfter: null };
  const found = await findListedNumbers(ctx.db, {
    workspaceId,
    digits,
    after: after ?? '',
    limit: limit + 1,
  });
  const numbers = found.slice(0, limit);
  return { numbers, nextAfter: found.length > limit ? (numbers.at(-1)?.phone ?? null) : null };
}
