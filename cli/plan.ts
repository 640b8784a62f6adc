// `svc plan --workspace ID [--set active|past_due|cancelled]`: shows or sets the plan of a workspace.
import { parseArgs } from 'node:util';
import { findPlanStatus, type PlanStatus } from '../domain/billing/ledger-queries.ts';
import { setPlan } from '../domain/billing/set-plan.ts';
import { unknownWorkspace } from '../domain/billing/transfer-answer.ts';
import { onRunningSystem, UsageError } from './on-running-system.ts';

const usage = 'Usage: svc plan --workspace ID [--set active|past_due|cancelled]';

/** Cancelled is what the interface calls inactive. */
const statuses: Readonly<Record<string, PlanStatus>> = {
  active: 'active',
  past_due: 'past_due',
  cancelled: 'inactive',
  inactive: 'inactive',
};

const options = { workspace: { type: 'string' }, set: { type: 'string' } } as const;

export function planCommand(args: readonly string[]): Promise<number> {
  return onRunningSystem(async (ctx) => {
    const { workspace, set } = parseArgs({ args: [...args], options, strict: true }).values;
    if (!workspace) throw new UsageError(usage);
    const status = set === undefined ? null : statuses[set];
    if (status === undefined) throw new UsageError(`--set: ${set} is no plan\n${usage}`);
    if (status) await setPlan(ctx, { workspaceId: workspace, status });
    const now = await findPlanStatus(ctx.db, workspace);
    if (!now) throw unknownWorkspace();
    process.stdout.write(`${now}\n`);
    return 0;
  });
}
