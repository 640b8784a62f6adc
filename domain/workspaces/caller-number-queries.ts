// Named SQL of the numbers that a workspace buys and releases.
import type { Db } from '../../platform/db.ts';

export type CallerNumberState = 'buying' | 'owned' | 'releasing' | 'released' | 'not_bought';

export interface CallerNumber {
  readonly workspaceId: string;
  /** Also our reference at the carrier. */
  readonly id: string;
  readonly phone: string;
  readonly state: CallerNumberState;
  readonly carrier: string | null;
  readonly carrierNumberId: string | null;
  readonly createdAt: Date;
}

export interface NumberRef {
  readonly workspaceId: string;
  readonly id: string;
}

/** Keeps the intent to buy; null when the workspace has the number already, or is buying it. */
export async function insertBuying(
  db: Db,
  number: NumberRef & { phone: string; carrier: string; now: Date; settleAt: Date },
): Promise<CallerNumber | null> {
  const [row] = await db<CallerNumber[]>`
    insert into caller_numbers (workspace_id, id, phone, active, state, carrier, created_at, settle_at)
    values (${number.workspaceId}, ${number.id}, ${number.phone}, false, 'buying', ${number.carrier}, ${number.now},
      ${number.settleAt})
    on conflict do nothing
    returning workspace_id, id, phone, state, carrier, carrier_number_id, created_at`;
  return row ?? null;
}

export async function findHeldNumber(
  db: Db,
  workspaceId: string,
  phone: string,
): Promise<CallerNumber | null> {
  const [row] = await db<CallerNumber[]>`
    select workspace_id, id, phone, state, carrier, carrier_number_id, created_at from caller_numbers
    where workspace_id = ${workspaceId} and phone = ${phone} and state in ('buying', 'owned', 'releasing')`;
  return row ?? null;
}

/** From now on calls may be made from it. */
export async function markOwned(db: Db, number: NumberRef, carrierNumberId: string) {
  await db`
    update caller_numbers set state = 'owned', active = true, carrier_number_id = ${carrierNumberId},
      settle_at = null, lease_until = null
    where workspace_id = ${number.workspaceId} and id = ${number.id} and state = 'buying'`;
}

export async function markNotBought(db: Db, number: NumberRef) {
  await db`
    update caller_numbers set state = 'not_bought', settle_at = null, lease_until = null
    where workspace_id = ${number.workspaceId} and id = ${number.id} and state = 'buying'`;
}

/** Keeps the intent to release: no call is made from it any more. Null when there is nothing to release. */
export async function beginRelease(
  db: Db,
  number: { workspaceId: string; phone: string; settleAt: Date },
): Promise<CallerNumber | null> {
  const [row] = await db<CallerNumber[]>`
    update caller_numbers set state = 'releasing', active = false, settle_at = ${number.settleAt}
    where workspace_id = ${number.workspaceId} and phone = ${number.phone} and carrier_number_id is not null
      and state in ('owned', 'releasing')
    returning workspace_id, id, phone, state, carrier, carrier_number_id, created_at`;
  return row ?? null;
}

export async function markReleased(db: Db, number: NumberRef, now: Date) {
  await db`
    update caller_numbers set state = 'released', released_at = ${now}, settle_at = null, lease_until = null
    where workspace_id = ${number.workspaceId} and id = ${number.id} and state = 'releasing'`;
}

export async function listUnsettled(db: Db, workspaceId: string): Promise<readonly CallerNumber[]> {
  return db<CallerNumber[]>`
    select workspace_id, id, phone, state, carrier, carrier_number_id, created_at from caller_numbers
    where workspace_id = ${workspaceId} and state in ('buying', 'releasing') order by id`;
}

export async function findUnsettled(db: Db, number: NumberRef): Promise<CallerNumber | null> {
  const [row] = await db<CallerNumber[]>`
    select workspace_id, id, phone, state, carrier, carrier_number_id, created_at from caller_numbers
    where workspace_id = ${number.workspaceId} and id = ${number.id} and state in ('buying', 'releasing')`;
  return row ?? null;
}

export async function settleLater(db: Db, number: NumberRef, at: Date) {
  await db`
    update caller_numbers set settle_at = ${at}, lease_until = null
    where workspace_id = ${number.workspaceId} and id = ${number.id} and state in ('buying', 'releasing')`;
}

export async function listHeldNumbers(
  db: Db,
  workspaceId: string,
): Promise<readonly CallerNumber[]> {
  return db<CallerNumber[]>`
    select workspace_id, id, phone, state, carrier, carrier_number_id, created_at from caller_numbers
    where workspace_id = ${workspaceId} and state in ('buying', 'owned', 'releasing') order by id`;
}
