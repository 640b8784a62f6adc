// `svc numbers list --workspace <id>`: settles what was begun, then shows what the workspace has.
import type { Context } from '../../domain/context.ts';
import { listHeldNumbers } from '../../domain/workspaces/caller-number-queries.ts';
import { settleNumbers } from '../../domain/workspaces/settle-numbers.ts';
import type { NumberArgs } from './number-args.ts';

export async function listNumbersCommand(
  ctx: Context,
  { workspaceId }: NumberArgs,
  fail: () => number,
): Promise<number> {
  if (!workspaceId) return fail();
  await settleNumbers(ctx, workspaceId);
  for (const { phone, state, carrier, id } of await listHeldNumbers(ctx.db, workspaceId))
    process.stdout.write(`${phone}\t${state}\t${carrier ?? '-'}\t${id}\n`);
  return 0;
}
