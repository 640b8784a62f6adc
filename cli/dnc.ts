// `svc dnc <command>`: the do-not-contact list of a workspace.
import { parseArgs } from 'node:util';
import { addCommand } from './dnc/add.ts';
import type { DncCommand } from './dnc/dnc-command.ts';
import { exportCommand } from './dnc/export.ts';
import { importCommand } from './dnc/import.ts';
import { listCommand } from './dnc/list.ts';
import { removeCommand } from './dnc/remove.ts';
import { whyCommand } from './dnc/why.ts';
import { onRunningSystem } from './on-running-system.ts';

const commands: Readonly<Record<string, DncCommand>> = {
  add: addCommand,
  remove: removeCommand,
  list: listCommand,
  import: importCommand,
  export: exportCommand,
  why: whyCommand,
};

const usage = `svc dnc add <number> --workspace <id> --by <email> [--reason <text>]
svc dnc remove <number> --workspace <id> --by <email> --reason <text>
svc dnc list [<part of a number>] --workspace <id>
svc dnc import <file.csv> --workspace <id> --by <email> [--reason <text>]
svc dnc export --workspace <id> > numbers.csv
svc dnc why <number> --workspace <id>
`;

export async function dncCommand(args: readonly string[]): Promise<number> {
  const [name = '', ...rest] = args;
  const command = commands[name];
  const given = readOptions(rest);
  if (!command || !given) {
    process.stderr.write(usage);
    return 2;
  }
  return onRunningSystem((ctx) => command(ctx, given));
}

function readOptions(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        workspace: { type: 'string' },
        by: { type: 'string' },
        reason: { type: 'string' },
      },
    });
    const { workspace: workspaceId, by, reason } = values;
    return workspaceId === undefined ? null : { workspaceId, by, reason, what: positionals[0] };
  } catch {
    return null;
  }
}
