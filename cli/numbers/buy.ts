// `svc numbers buy <number> --workspace <id>`. Safe to repeat.
import type { Context } from '../../domain/context.ts';
import { buyNumber } from '../../domain/workspaces/buy-number.ts';
import type { NumberArgs } from './number-args.ts';

export async function buyNumberCommand(
  ctx: Context,
  { workspaceId, subject }: NumberArgs,
  fail: () => number,
): Promise<number> {
  if (!workspaceId || !subject) return fail();
  const answer = await buyNumber(ctx, workspaceId, subject);
  process.stdout.write(`${answer.kind}${'number' in answer ? `\t${answer.number.phone}` : ''}\n`);
  return answer.kind === 'owned' ? 0 : 1;
}
