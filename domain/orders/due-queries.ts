// Named SQL that claims what is due, over all workspaces: skip locked, with a lease.
import type { Db } from '../../platform/db.ts';

export interface Lease {
  readonly now: Date;
  readonly until: Date;
  readonly max: number;
}

export async function claimWatchedAttempts(db: Db, lease: Lease) {
  return db<{ workspaceId: string; attemptId: string }[]>`
    update attempts a set lease_until = ${lease.until}
    from (select workspace_id, id from attempts
      where watch_at <= ${lease.now} and (lease_until is null or lease_until <= ${lease.now})
      order by watch_at limit ${lease.max} for update skip locked) due
    where a.workspace_id = due.workspace_id and a.id = due.id
    returning a.workspace_id, a.id as attempt_id`;
}

/** The token fences off a sender that lost its lease. */
export async function claimDueDeliveries(db: Db, lease: Lease) {
  return db<{ workspaceId: string; deliveryId: string; leaseToken: number }[]>`
    update deliveries d set lease_until = ${lease.until}, lease_token = d.lease_token + 1
    from (select workspace_id, id from deliveries
      where state = 'due' and next_attempt_at <= ${lease.now}
        and (lease_until is null or lease_until <= ${lease.now})
      order by next_attempt_at limit ${lease.max} for update skip locked) due
    where d.workspace_id = due.workspace_id and d.id = due.id
    returning d.workspace_id, d.id as delivery_id, d.lease_token`;
}

/** None while the carrier's account is paused. */
export async function claimDueTexts(db: Db, lease: Lease & { readonly carrierAccount: string }) {
  return db<{ workspaceId: string; textId: string }[]>`
    update texts t set lease_until = ${lease.until}
    from (select workspace_id, id from texts
      where next_try_at <= ${lease.now} and (lease_until is null or lease_until <= ${lease.now})
        and not exists (select from carrier_accounts where name = ${lease.carrierAccount}
          and paused_until > ${lease.now})
      order by next_try_at limit ${lease.max} for update skip locked) due
    where t.workspace_id = due.workspace_id and t.id = due.id
    returning t.workspace_id, t.id as text_id`;
}

export async function claimRawRecordings(db: Db, lease: Lease) {
  return db<{ workspaceId: string; attemptId: string }[]>`
    update recordings r set lease_until = ${lease.until}
    from (select workspace_id, order_id, attempt_id from recordings
      where state = 'raw' and next_try_at <= ${lease.now}
        and (lease_until is null or lease_until <= ${lease.now})
      order by next_try_at limit ${lease.max} for update skip locked) due
    where r.workspace_id = due.workspace_id and r.order_id = due.order_id and r.attempt_id = due.attempt_id
    returning r.workspace_id, r.attempt_id`;
}

export async function claimUnsettledAppointments(db: Db, lease: Lease) {
  return db<{ workspaceId: string; appointmentId: string }[]>`
    update appointments p set lease_until = ${lease.until}
    from (select workspace_id, id from appointments
      where settle_at <= ${lease.now} and (lease_until is null or lease_until <= ${lease.now})
      order by settle_at limit ${lease.max} for update skip locked) due
    where p.workspace_id = due.workspace_id and p.id = due.id
    returning p.workspace_id, p.id as appointment_id`;
}

export async function claimUnsettledNumbers(db: Db, lease: Lease) {
  return db<{ workspaceId: string; numberId: string }[]>`
    update caller_numbers n set lease_until = ${lease.until}
    from (select workspace_id, id from caller_numbers
      where settle_at <= ${lease.now} and (lease_until is null or lease_until <= ${lease.now})
      order by settle_at limit ${lease.max} for update skip locked) due
    where n.workspace_id = due.workspace_id and n.id = due.id
    returning n.workspace_id, n.id as number_id`;
}

/** After so many tries a call is as the rules left it. */
export const analysisTriesMax = 4;

/** From the beginning of a try to the next, should it fail or its worker die; longer than a try can take. */
const analysisWaitsSeconds = [60, 300, 1_800, 1_800];

/** Counts the try as begun, so that a call which kills its worker is given up too. */
export async function claimDueAnalyses(db: Db, lease: Lease) {
  return db<{ workspaceId: string; orderId: string; tries: number }[]>`
    update orders o set analysis_tries = o.analysis_tries + 1,
      analysis_next_try_at = ${lease.now}::timestamptz
        + (${analysisWaitsSeconds}::int[])[least(o.analysis_tries + 1, ${analysisWaitsSeconds.length})]
          * interval '1 second'
    from (select workspace_id, id from orders
      where analysis = 'pending' and coalesce(analysis_next_try_at, completed_at) <= ${lease.now}
      order by coalesce(analysis_next_try_at, completed_at) limit ${lease.max} for update skip locked) due
    where o.workspace_id = due.workspace_id and o.id = due.id
    returning o.workspace_id, o.id as order_id, o.analysis_tries as tries`;
}

/** When the earliest thing falls due that nobody holds now. */
export async function findNextDue(db: Db, now: Date): Promise<Date | null> {
  const [row] = await db<{ at: Date | null }[]>`
    select least(
      (select greatest(next_dial_at, lease_until) from orders
        where next_dial_at is not null and attempt_number = 0 order by next_dial_at limit 1),
      (select greatest(next_dial_at, lease_until) from orders
        where next_dial_at is not null and attempt_number > 0 order by next_dial_at limit 1),
      (select greatest(watch_at, lease_until) from attempts where watch_at is not null order by watch_at limit 1),
      (select greatest(next_attempt_at, lease_until) from deliveries where state = 'due'
        order by next_attempt_at limit 1),
      (select greatest(next_try_at, lease_until) from texts where next_try_at is not null
        order by next_try_at limit 1),
      (select greatest(next_try_at, lease_until) from recordings where state = 'raw'
        order by next_try_at limit 1),
      (select greatest(settle_at, lease_until) from appointments where settle_at is not null
        order by settle_at limit 1),
      (select greatest(settle_at, lease_until) from caller_numbers where settle_at is not null
        order by settle_at limit 1),
      (select coalesce(analysis_next_try_at, completed_at) from orders where analysis = 'pending'
        order by 1 limit 1)) as at`;
  const at = row?.at ?? null;
  return at && at < now ? now : at;
}
