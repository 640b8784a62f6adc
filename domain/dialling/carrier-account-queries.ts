// Named SQL of the health of a carrier's account.
import type { Db } from '../../platform/db.ts';
import type { CallRef } from '../calls/call-desk.ts';
import { bindCarrierCallSql } from '../attempts/attempt-queries.ts';

/** Answers until when the account is paused, or null when it goes on. */
export async function noteFault(
  db: Db,
  account: string,
  rules: { faultsToPause: number; pauseSeconds: number; pauseMaxSeconds: number },
  now: Date,
): Promise<Date | null> {
  const [row] = await db<{ pausedUntil: Date | null }[]>`
    select note_carrier_fault(${account}, ${rules.faultsToPause}::int, ${rules.pauseSeconds}::int,
      ${rules.pauseMaxSeconds}::int, ${now}) as paused_until`;
  return row?.pausedUntil ?? null;
}

/**
 * The carrier took this call: notes its id, from the carrier's answer or a look-up, and forgets the account's faults.
 * Tells whether the attempt was there to bind the call to, and whether there were faults or a pause to forget; in good
 * health no row of the account is touched.
 */
export async function keepPlacedCall(
  db: Db,
  call: CallRef,
  placed: { account: string; carrierCallId: string; now: Date },
): Promise<{ bound: boolean; recovered: boolean }> {
  const [row] = await db<{ bound: boolean; recovered: boolean }[]>`
    with bound as (${bindCarrierCallSql(db, call, placed.carrierCallId, placed.now)}),
    recovered as (
      update carrier_accounts set faults_in_a_row = 0, paused_until = null, pauses_in_a_row = 0, probed_until = null
      where name = ${placed.account} and (faults_in_a_row > 0 or paused_until is not null)
      returning 1)
    select exists (select from bound) as bound, exists (select from recovered) as recovered`;
  return row ?? { bound: false, recovered: false };
}

/** A pause that is over counts until a dial has proved that the carrier is back. */
export async function findPause(db: Db, account: string): Promise<Date | null> {
  const [row] = await db<{ pausedUntil: Date | null }[]>`
    select paused_until from carrier_accounts where name = ${account}`;
  return row?.pausedUntil ?? null;
}
