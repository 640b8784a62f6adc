// `svc numbers release <number> --workspace <id>`. Safe to repeat.
import type { Context } from '../../domain/context.ts';
import { releaseNumber } from '../../domain/workspaces/release-number.ts';
import type { NumberArgs } from './number-args.ts';

export async function releaseNumberCommand(
  ctx: Context,
  { workspaceId, subject }: NumberArgs,
  fail: () => number,
): Promise<number> {
  if (!workspaceId || !subject) return fail();
  const answer = await releaseNumber(ctx, workspaceId, subject);
  process.stdout.write(`${answer}\n`);
  return answer === 'released' ? 0 : 1;
}
