// `svc dnc export`: the list as CSV on standard output.
import { exportNumbers } from '../../domain/do-not-contact/export-numbers.ts';
import type { DncCommand } from './dnc-command.ts';

export const exportCommand: DncCommand = async (ctx, { workspaceId }) => {
  for await (const part of exportNumbers(ctx, workspaceId))
    if (!process.stdout.write(part))
      await new Promise((resolve) => process.stdout.once('drain', resolve));
  return 0;
};
