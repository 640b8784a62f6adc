// The whole list as CSV, page by page, so that no list is too long for it.
import type { Context } from '../context.ts';
import { csvLine } from './csv.ts';
import { listNumbers } from './list-numbers.ts';

const numbersPerPage = 1_000;
const header = ['phone', 'source', 'listed_at', 'order_id', 'added_by', 'reason', 'quote'];

/** Numbers that come while it runs may be missing; an import reads it back. */
export async function* exportNumbers(
  ctx: Pick<Context, 'db'>,
  workspaceId: string,
): AsyncGenerator<string> {
  yield csvLine(header);
  let after: string | null = null;
  do {
    const page = await listNumbers(ctx, workspaceId, { after, limit: numbersPerPage });
    yield page.numbers
      .map((number) =>
        csvLine([
          number.phone,
          number.source,
          number.createdAt.toISOString(),
          number.orderId,
          number.actor,
          number.reason,
          number.quote,
        ]),
      )
      .join('');
    after = page.nextAfter;
  } while (after !== null);
}
