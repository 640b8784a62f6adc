// `svc seed --json`: makes sure of the demo workspace and prints how to use it. Safe to repeat.
import { createSeed } from '../domain/workspaces/seed-demo.ts';
import { sandboxPeople } from '../domain/workspaces/sandbox-people.ts';
import { onRunningSystem } from './on-running-system.ts';

export function seedCommand(args: readonly string[]): Promise<number> {
  return onRunningSystem(async (ctx, running) => {
    const seed = await createSeed(ctx);
    const printed = {
      base_url: running.baseUrl,
      ...seed,
      trigger_url: `${running.baseUrl}/v1/hooks/lead/${seed.trigger_token}`,
      sandbox: sandboxPeople,
      trigger_token: undefined,
    };
    process.stdout.write(`${JSON.stringify(printed, null, args.includes('--json') ? 0 : 2)}\n`);
    return 0;
  });
}
