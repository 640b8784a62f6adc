// `svc wallet <command>`: what an operator does to wallets. Amounts are whole cents.
import { parseArgs } from 'node:util';
import { adjustWallet } from '../domain/billing/adjust-wallet.ts';
import { depositCredit } from '../domain/billing/deposit-credit.ts';
import { pauseWallet, resumeWallet } from '../domain/billing/pause-wallet.ts';
import { proveWallets } from '../domain/billing/prove-wallets.ts';
import { startDeposit } from '../domain/billing/start-deposit.ts';
import type { Context } from '../domain/context.ts';
import { onRunningSystem, UsageError } from './on-running-system.ts';
import { describeWallet } from './wallet/describe-wallet.ts';

const usage = `Usage:
  svc wallet show --workspace ID
  svc wallet deposit --workspace ID --cents N [--key KEY] [--note TEXT] [--by NAME]
  svc wallet adjust --workspace ID --cents N --note TEXT [--key KEY] [--by NAME]
    (--cents=-N takes)
  svc wallet checkout --workspace ID --cents N   (a page on which the customer pays)
  svc wallet pause|resume --workspace ID
  svc wallet prove [--workspace ID]   (exit code 1 when a wallet does not add up)`;

const options = {
  workspace: { type: 'string' },
  cents: { type: 'string' },
  key: { type: 'string' },
  note: { type: 'string' },
  by: { type: 'string' },
} as const;

type Flags = { readonly [Name in keyof typeof options]?: string | undefined };

const commands: Readonly<Record<string, (ctx: Context, flags: Flags) => Promise<number>>> = {
  async show(ctx, flags) {
    return print(await describeWallet(ctx, workspaceOf(flags)));
  },
  async deposit(ctx, flags) {
    const done = await depositCredit(ctx, transferOf(flags, 'credit'));
    return print([done, ...(await describeWallet(ctx, workspaceOf(flags), 1))]);
  },
  async adjust(ctx, flags) {
    const done = await adjustWallet(ctx, transferOf(flags, ''));
    return print([done, ...(await describeWallet(ctx, workspaceOf(flags), 1))]);
  },
  async checkout(ctx, flags) {
    const asked = { workspaceId: workspaceOf(flags), amountCents: centsOf(flags) };
    const { depositId, url } = await startDeposit(ctx, asked);
    return print([depositId, url]);
  },
  async pause(ctx, flags) {
    await pauseWallet(ctx, workspaceOf(flags));
    return print(['paused']);
  },
  async resume(ctx, flags) {
    await resumeWallet(ctx, workspaceOf(flags));
    return print(['resumed']);
  },
  async prove(ctx, flags) {
    const { wallets, broken } = await proveWallets(ctx, flags.workspace);
    print([
      ...broken.flatMap(({ workspaceId, problems }) =>
        problems.map((problem) => `${workspaceId}: ${problem}`),
      ),
      `${wallets} wallets were proved, ${broken.length} do not add up`,
    ]);
    return broken.length > 0 ? 1 : 0;
  },
};

export function walletCommand([name = '', ...args]: readonly string[]): Promise<number> {
  return onRunningSystem(async (ctx) => {
    const command = commands[name];
    if (!command) throw new UsageError(usage);
    return command(ctx, parseArgs({ args: [...args], options, strict: true }).values);
  });
}

function transferOf(flags: Flags, defaultNote: string) {
  return {
    workspaceId: workspaceOf(flags),
    amountCents: centsOf(flags),
    key: flags.key,
    note: flags.note ?? defaultNote,
    madeBy: flags.by ?? process.env['USER'] ?? 'operator',
  };
}

function workspaceOf({ workspace }: Flags): string {
  if (!workspace) throw new UsageError(`--workspace is missing\n${usage}`);
  return workspace;
}

function centsOf({ cents = '' }: Flags): number {
  if (!/^-?\d+$/.test(cents)) throw new UsageError(`--cents must be a whole number\n${usage}`);
  return Number(cents);
}

function print(lines: readonly string[]): number {
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
