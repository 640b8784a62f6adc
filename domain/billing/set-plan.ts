// Sets the plan of a workspace. Orders that waited for it dial at once when it is active again.
import type { Context } from '../context.ts';
import { setPlanStatus, type PlanStatus } from './ledger-queries.ts';
import { unknownWorkspace } from './transfer-answer.ts';
import { wakeOrders } from './wake-orders.ts';

/** Answers the plan before; throws AppError `not_found`. */
export async function setPlan(
  ctx: Context,
  plan: { workspaceId: string; status: PlanStatus },
): Promise<PlanStatus> {
  const before = await setPlanStatus(ctx.db, { ...plan, now: ctx.clock.now() });
  if (!before) throw unknownWorkspace();
  ctx.log.info({ ...plan, before }, 'plan was set');
  if (plan.status === 'active')
    await wakeOrders(ctx, plan.workspaceId, ['plan_inactive', 'plan_past_due']);
  return before;
}
