// Named SQL of the health of a carrier's account.
import type { Db } from '../../platform/db.ts';

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

/** True when there were faults or a pause to forget. Touches no row in good health. */
export async function forgetFaults(db: Db, account: string): Promise<boolean> {
  const rows = await db`
    update carrier_accounts set faults_in_a_row = 0, paused_until = null, pauses_in_a_row = 0, probed_until = null
    where name = ${account} and (faults_in_a_row > 0 or paused_until is not null)
    returning 1`;
  return rows.length > 0;
}

/** A pause that is over counts until a dial has proved that the carrier is back. */
export async function findPause(db: Db, account: string): Promise<Date | null> {
  const [row] = await db<{ pausedUntil: Date | null }[]>`
    select paused_until from carrier_accounts where name = ${account}`;
  return row?.pausedUntil ?? null;
}
