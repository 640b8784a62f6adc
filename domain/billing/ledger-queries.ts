// Named SQL of what operators do to a wallet and to a plan. Each is one statement, and brings its waiting orders along.
import type { Db } from '../../platform/db.ts';

export type PlanStatus = 'active' | 'past_due' | 'inactive';

export type WaitReason = 'waiting_for_balance' | 'plan_inactive' | 'plan_past_due';

export interface NotedTransfer {
  readonly workspaceId: string;
  readonly transferId: string;
  /** The same key is the same transfer. */
  readonly key: string;
  readonly amountMicros: number;
  readonly note: string;
  readonly madeBy: string;
  readonly now: Date;
}

export type TransferAnswer = 'done' | 'repeated' | 'conflict' | 'no_wallet';

export async function depositCredit(
  db: Db,
  transfer: NotedTransfer,
  firstMinimumMicros: number,
): Promise<TransferAnswer | 'below_first_minimum'> {
  const [row] = await db<{ answer: TransferAnswer | 'below_first_minimum' }[]>`
    select deposit_credit(${transfer.workspaceId}, ${transfer.transferId}, ${transfer.key},
      ${transfer.amountMicros}::bigint, ${firstMinimumMicros}::bigint, ${transfer.note}, ${transfer.madeBy},
      ${transfer.now}) as answer`;
  return row?.answer ?? 'no_wallet';
}

/** A negative amount takes from the wallet; 'short' when that is more than is there and not held. */
export async function adjustWallet(
  db: Db,
  transfer: NotedTransfer,
): Promise<TransferAnswer | 'short'> {
  const [row] = await db<{ answer: TransferAnswer | 'short' }[]>`
    select adjust_wallet(${transfer.workspaceId}, ${transfer.transferId}, ${transfer.key},
      ${transfer.amountMicros}::bigint, ${transfer.note}, ${transfer.madeBy}, ${transfer.now}) as answer`;
  return row?.answer ?? 'no_wallet';
}

/** The plan before; null when there is no such workspace. */
export async function setPlanStatus(
  db: Db,
  plan: { workspaceId: string; status: PlanStatus; now: Date },
): Promise<PlanStatus | null> {
  const [row] = await db<{ before: PlanStatus | null }[]>`
    select set_plan(${plan.workspaceId}, ${plan.status}, ${plan.now}) as before`;
  return row?.before ?? null;
}

export async function findPlanStatus(db: Db, workspaceId: string): Promise<PlanStatus | null> {
  const [row] = await db<{ planStatus: PlanStatus }[]>`
    select plan_status from workspaces where id = ${workspaceId}`;
  return row?.planStatus ?? null;
}

/** Whether calling was paused before; null when there is no such wallet. */
export async function setPaused(
  db: Db,
  pause: { workspaceId: string; paused: boolean; now: Date },
): Promise<boolean | null> {
  const [row] = await db<{ before: boolean | null }[]>`
    select set_wallet_paused(${pause.workspaceId}, ${pause.paused}, ${pause.now}) as before`;
  return row?.before ?? null;
}

/** How many of the orders that wait for these reasons were made due. */
export async function wakeWaitingOrders(
  db: Db,
  wake: { workspaceId: string; reasons: readonly WaitReason[]; now: Date; max: number },
): Promise<number> {
  const [row] = await db<{ woken: number }[]>`
    select wake_waiting_orders(${wake.workspaceId}, ${wake.reasons}, ${wake.now}, ${wake.max}) as woken`;
  return row?.woken ?? 0;
}

export interface LedgerLine {
  readonly transferId: string;
  readonly kind: 'deposit' | 'call' | 'text' | 'rent' | 'adjustment';
  /** As the wallet sees it: negative is spent. */
  readonly amountMicros: number;
  readonly orderId: string | null;
  readonly note: string | null;
  readonly madeBy: string | null;
  readonly createdAt: Date;
}

/** The newest first. */
export async function listLedger(
  db: Db,
  { workspaceId, max }: { workspaceId: string; max: number },
): Promise<LedgerLine[]> {
  return db<LedgerLine[]>`
    select t.id as transfer_id, t.kind, e.amount_micros, t.order_id, t.note, t.made_by, t.created_at
    from ledger_transfers t
    join ledger_entries e on e.workspace_id = t.workspace_id and e.transfer_id = t.id and e.account = 'wallet'
    where t.workspace_id = ${workspaceId}
    order by t.created_at desc, t.id desc limit ${max}`;
}
