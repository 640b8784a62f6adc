// `svc numbers list|search|buy|release`: the numbers from which a workspace calls.
import { buyNumberCommand } from './numbers/buy.ts';
import { listNumbersCommand } from './numbers/list.ts';
import { releaseNumberCommand } from './numbers/release.ts';
import { searchNumbersCommand } from './numbers/search.ts';
import { onRunningSystem } from './on-running-system.ts';

const commands = {
  list: listNumbersCommand,
  search: searchNumbersCommand,
  buy: buyNumberCommand,
  release: releaseNumberCommand,
} as const;

const usage = `Usage:
  svc numbers search <area code>
  svc numbers list --workspace <id>
  svc numbers buy <number> --workspace <id>
  svc numbers release <number> --workspace <id>
`;

export async function numbersCommand(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  const flag = rest.indexOf('--workspace');
  const workspaceId = flag === -1 ? undefined : rest[flag + 1];
  const [subject] = flag === 0 ? rest.slice(2) : rest;
  const command = Object.entries(commands).find(([key]) => key === name)?.[1];
  if (!command) return fail();
  return onRunningSystem((ctx) => command(ctx, { workspaceId, subject }, fail));
}

function fail(): number {
  process.stderr.write(usage);
  return 2;
}
