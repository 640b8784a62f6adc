// Named SQL of the rent of caller numbers.
import type { Db } from '../../platform/db.ts';

export interface NumberRef {
  readonly workspaceId: string;
  readonly numberId: string;
}

export interface RentTerms {
  readonly priceMicros: number;
  readonly graceHours: number;
  readonly now: Date;
}

/** Numbers for which something can be done: to charge, to note as unpaid, or to end the grace of. In pages. */
export async function listDueRents(
  db: Db,
  terms: RentTerms,
  page: { workspaceId: string | null; after: NumberRef | null; max: number },
): Promise<NumberRef[]> {
  const after = page.after ?? { workspaceId: '', numberId: '' };
  return db<NumberRef[]>`
    select n.workspace_id, n.id as number_id from caller_numbers n join wallets w on w.workspace_id = n.workspace_id
    where n.active and coalesce(n.rent_due_at, n.created_at) <= ${terms.now}
      and (${page.workspaceId}::text is null or n.workspace_id = ${page.workspaceId})
      and (n.workspace_id, n.id) > (${after.workspaceId}, ${after.numberId})
      and (n.rent_unpaid_since is null or w.balance_micros - w.held_micros >= ${terms.priceMicros}
        or (not n.rent_overdue
          and n.rent_unpaid_since + ${terms.graceHours} * interval '1 hour' <= ${terms.now}))
    order by n.workspace_id, n.id limit ${page.max}`;
}

export type RentAnswer = 'charged' | 'unpaid' | 'overdue' | 'waiting' | 'not_due';

/** One month of one number. */
export async function chargeRent(
  db: Db,
  number: NumberRef,
  transferId: string,
  terms: RentTerms,
): Promise<RentAnswer> {
  const [row] = await db<{ answer: RentAnswer }[]>`
    select charge_rent(${number.workspaceId}, ${number.numberId}, ${transferId}, ${terms.priceMicros}::bigint,
      ${terms.graceHours}, ${terms.now}) as answer`;
  return row?.answer ?? 'not_due';
}

/** Workspaces whose overdue numbers are gone, so that nothing is left to wait for. */
export async function liftRentPauses(db: Db, workspaceId: string | null, now: Date) {
  return db<{ workspaceId: string }[]>`
    select workspace_id from wallets w
    where paused_by = 'rent' and (${workspaceId}::text is null or workspace_id = ${workspaceId})
      and lift_rent_pause(workspace_id, ${now})`;
}

export interface RentState {
  readonly numberId: string;
  readonly paidUntil: Date;
  readonly unpaidSince: Date | null;
  readonly overdue: boolean;
}

export async function listRents(db: Db, workspaceId: string): Promise<RentState[]> {
  return db<RentState[]>`
    select id as number_id, coalesce(rent_due_at, created_at) as paid_until, rent_unpaid_since as unpaid_since,
      rent_overdue as overdue
    from caller_numbers where workspace_id = ${workspaceId} and active order by id`;
}
