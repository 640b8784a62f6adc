// `svc dnc list [<part of a number>]`
import { listNumbers } from '../../domain/do-not-contact/list-numbers.ts';
import { print, type DncCommand } from './dnc-command.ts';

export const listCommand: DncCommand = async (ctx, { workspaceId, what = '' }) => {
  let after: string | null = null;
  do {
    const page = await listNumbers(ctx, workspaceId, { search: what, after });
    for (const { phone, source, createdAt } of page.numbers)
      print(`${phone}  ${createdAt.toISOString()}  ${source}`);
    after = page.nextAfter;
  } while (after !== null);
  return 0;
};
