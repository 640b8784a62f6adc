// `svc numbers search <area code>`: what can be bought now.
import type { Context } from '../../domain/context.ts';
import type { NumberArgs } from './number-args.ts';

const limits = { shown: 10 } as const;

export async function searchNumbersCommand(
  ctx: Context,
  { subject }: NumberArgs,
  fail: () => number,
): Promise<number> {
  if (!subject || !/^[2-9]\d\d$/.test(subject)) return fail();
  const found = await ctx.numbers.searchNumbers({ areaCode: subject, limit: limits.shown });
  if (found.kind === 'unreachable') {
    process.stderr.write(`The carrier could not be asked: ${found.detail}\n`);
    return 1;
  }
  for (const { phone, locality, region } of found.numbers)
    process.stdout.write(`${phone}\t${[locality, region].filter(Boolean).join(', ')}\n`);
  return 0;
}
