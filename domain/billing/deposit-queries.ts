// Named SQL of deposits that customers pay through a provider.
import type { Db } from '../../platform/db.ts';

export interface DepositRef {
  readonly workspaceId: string;
  readonly depositId: string;
}

export type DepositIntent = 'inserted' | 'below_first_minimum' | 'no_wallet';

/** The intent stands before the provider is asked. A first deposit is one before which nothing was paid in. */
export async function insertDeposit(
  db: Db,
  deposit: DepositRef & { amountMicros: number; firstMinimumMicros: number; now: Date },
): Promise<DepositIntent> {
  const [row] = await db<{ intent: DepositIntent }[]>`
    with wallet as (
      select workspace_id, ${deposit.amountMicros}::bigint >= ${deposit.firstMinimumMicros}::bigint
        or exists (select from ledger_transfers t where t.workspace_id = w.workspace_id and t.kind = 'deposit')
        as allowed
      from wallets w where workspace_id = ${deposit.workspaceId}
    ), inserted as (
      insert into deposits (workspace_id, id, state, amount_micros, created_at)
      select workspace_id, ${deposit.depositId}, 'intent', ${deposit.amountMicros}, ${deposit.now}
      from wallet where allowed returning id)
    select case when exists (select from inserted) then 'inserted'
      when exists (select from wallet) then 'below_first_minimum' else 'no_wallet' end as intent`;
  return row?.intent ?? 'no_wallet';
}

/** Its event may have been quicker than the provider's answer; then it stays as that left it. */
export async function openDeposit(
  db: Db,
  { workspaceId, depositId }: DepositRef,
  checkout: { checkoutId: string; url: string; nextLookAt: Date },
) {
  await db`
    update deposits set state = 'open', checkout_id = ${checkout.checkoutId}, checkout_url = ${checkout.url},
      next_look_at = ${checkout.nextLookAt}
    where workspace_id = ${workspaceId} and id = ${depositId} and state = 'intent'`;
}

/** Ends a deposit that nobody paid; one that was paid stays paid. */
export async function closeDeposit(
  db: Db,
  { workspaceId, depositId }: DepositRef,
  end: { state: 'expired' | 'failed' | 'disputed'; detail: string | null; now: Date },
): Promise<boolean> {
  const closed = await db`
    update deposits set state = ${end.state}, detail = ${end.detail}, next_look_at = null, settled_at = ${end.now}
    where workspace_id = ${workspaceId} and id = ${depositId}
      and (state in ('intent', 'open') or (state in ('expired', 'failed') and ${end.state} = 'disputed'))`;
  return closed.count > 0;
}

/** Intents whose process died before it told anybody where to pay. */
export async function closeForgottenDeposits(db: Db, { before, now }: { before: Date; now: Date }) {
  await db`
    update deposits set state = 'failed', detail = 'never opened', settled_at = ${now}
    where state = 'intent' and created_at < ${before}`;
}

export type SettleAnswer = 'settled' | 'repeated' | 'unknown' | 'other_checkout';

export async function settleDeposit(
  db: Db,
  { workspaceId, depositId }: DepositRef,
  paid: { checkoutId: string; paidMicros: number; now: Date },
): Promise<SettleAnswer> {
  const [row] = await db<{ answer: SettleAnswer }[]>`
    select settle_deposit(${workspaceId}, ${depositId}, ${paid.checkoutId}, ${paid.paidMicros}::bigint,
      ${paid.now}) as answer`;
  return row?.answer ?? 'unknown';
}

export interface OpenDeposit extends DepositRef {
  readonly checkoutId: string;
}

/** Claims what is to be looked up; each is due again later, should this caller die. */
export async function claimDepositsToLookUp(
  db: Db,
  look: { now: Date; youngSince: Date; soonAt: Date; laterAt: Date; max: number },
): Promise<OpenDeposit[]> {
  return db<OpenDeposit[]>`
    update deposits d
    set next_look_at = case when d.created_at > ${look.youngSince} then ${look.soonAt}::timestamptz
      else ${look.laterAt}::timestamptz end
    from (select workspace_id, id from deposits where next_look_at <= ${look.now}
      order by next_look_at limit ${look.max} for update skip locked) due
    where d.workspace_id = due.workspace_id and d.id = due.id
    returning d.workspace_id, d.id as deposit_id, d.checkout_id`;
}

export interface DepositState {
  readonly depositId: string;
  readonly state: 'intent' | 'open' | 'paid' | 'expired' | 'failed' | 'disputed';
  readonly amountMicros: number;
  readonly paidMicros: number | null;
  readonly detail: string | null;
}

export async function findDeposit(
  db: Db,
  { workspaceId, depositId }: DepositRef,
): Promise<DepositState | null> {
  const [deposit] = await db<DepositState[]>`
    select id as deposit_id, state, amount_micros, paid_micros, detail from deposits
    where workspace_id = ${workspaceId} and id = ${depositId}`;
  return deposit ?? null;
}
