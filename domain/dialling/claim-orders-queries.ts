// Named SQL that claims due orders: fair between workspaces, first dials before later ones, and no more than can dial.
import type { Db } from '../../platform/db.ts';
import type { Lease } from '../orders/due-queries.ts';

export interface OrderClaim extends Omit<Lease, 'max'> {
  /** Until when an order waits for a call to end, should nothing wake it before. */
  readonly waitUntil: Date;
  readonly carrierAccount: string;
  readonly callsPerSecond: number | null;
}

export interface ClaimedOrders {
  readonly orders: readonly { readonly workspaceId: string; readonly orderId: string }[];
  /** When there is more to claim; null when nothing is left behind. */
  readonly lookAgainAt: Date | null;
}

export async function claimDueOrders(db: Db, claim: OrderClaim): Promise<ClaimedOrders> {
  const [claimed] = await db<ClaimedOrders[]>`${claimDueOrdersSql(db, claim)}`;
  return claimed ?? { orders: [], lookAgainAt: null };
}

/**
 * First dials before later ones, then the workspace that has the fewest calls on the phone, then the oldest. What its
 * workspace has no free call for waits and leaves the crowd. Limits stand in the text, so that the plan does not depend
 * on them.
 */
export function claimDueOrdersSql(db: Db, claim: OrderClaim) {
  const { now, until } = claim;
  return db`
    with recursive carrier as materialized (
      select * from carrier_room(${claim.carrierAccount}, ${claim.callsPerSecond}::int, ${now})
    ), ${candidatesSql(db, now)}, judged as materialized (
      select c.*, not c.simulated and c.status <> 'VOICEMAIL_SMS_SENT' and not exists (select from do_not_contact d
          where d.workspace_id = c.workspace_id and d.phone = c.phone) as needs_call
      from candidates c
    ), free_slots as materialized (
      select w.id as workspace_id, w.live_call_limit, f.slots
      from (select distinct workspace_id from judged where needs_call) asking
      join workspaces w on w.id = asking.workspace_id cross join lateral free_call_slots(w.id) f(slots)
    ), placed as materialized (
      select j.*, f.slots, coalesce(f.live_call_limit - f.slots, 0) as live_calls, row_number() over (
        partition by j.workspace_id, j.needs_call order by j.again, j.created_at, j.id) as place
      from judged j left join free_slots f on f.workspace_id = j.workspace_id
    ), in_turn as materialized (
      select p.*, row_number() over (partition by needs_call
        order by again, live_calls + place, created_at, id) as turn
      from placed p where not needs_call or place <= slots
    ), chosen as (
      select t.* from in_turn t, carrier c where not t.needs_call or c.room is null or t.turn <= c.room
      order by t.again, t.live_calls + t.place, t.created_at, t.id limit 200
    ), locked as materialized (
      select o.workspace_id, o.id from orders o join chosen c using (workspace_id, id)
      where ${isUnclaimed(db, now)} and (o.next_dial_at <= ${now} or o.reason = 'live_call_limit')
      for update of o skip locked
    ), claimed as (
      update orders o set lease_until = ${until}, next_dial_at = least(o.next_dial_at, ${now})
      from locked l where o.workspace_id = l.workspace_id and o.id = l.id
      returning o.workspace_id, o.id
    ), without_slot as materialized (
      select o.workspace_id, o.id from orders o join placed p using (workspace_id, id)
      where p.needs_call and not p.waited and p.place > p.slots
        and ${isUnclaimed(db, now)} and o.next_dial_at <= ${now}
      for update of o skip locked
    ), made_to_wait as (
      update orders o set reason = 'live_call_limit', next_dial_at = ${claim.waitUntil}, lease_until = null,
        version = version + 1, updated_at = ${now}
      from without_slot w where o.workspace_id = w.workspace_id and o.id = w.id
      returning 1
    )
    select
      coalesce((select jsonb_agg(jsonb_build_object('workspaceId', c.workspace_id, 'orderId', c.id)
        order by t.again, t.live_calls + t.place, t.created_at, t.id)
        from claimed c join in_turn t using (workspace_id, id)), '[]') as orders,
      case
        when exists (select from made_to_wait)
          or (select count(*) from in_turn t, carrier c
            where not t.needs_call or c.room is null or t.turn <= c.room) > 200 then ${now}::timestamptz
        when exists (select from in_turn t, carrier c where t.needs_call and t.turn > c.room)
          then (select changes_at from carrier)
      end as look_again_at`;
}

/**
 * The first 400 that are due; when so many are of few workspaces, also the first of every workspace, so that none is
 * hidden behind the crowd of another; and of those that wait for calls to end as many as may dial now.
 */
function candidatesSql(db: Db, now: Date) {
  const columns = db`
    o.workspace_id, o.id, o.phone, o.simulated, o.status, o.attempt_number > 0 as again, o.created_at`;
  const isDue = db`o.next_dial_at <= ${now} and ${isUnclaimed(db, now)}`;
  return db`
    first_dials as materialized (
      select ${columns}, false as waited from orders o
      where ${isDue} and o.attempt_number = 0 order by o.next_dial_at limit 400
    ), later_dials as materialized (
      select ${columns}, false as waited from orders o
      where ${isDue} and o.attempt_number > 0 order by o.next_dial_at limit 400
    ), crowded_workspaces as (
      (select workspace_id from orders
        where next_dial_at is not null and attempt_number = 0
          and (select count(*) = 400 and count(distinct workspace_id) < 100 from first_dials)
        order by workspace_id limit 1)
      union all
      select (select o.workspace_id from orders o
          where o.next_dial_at is not null and o.attempt_number = 0 and o.workspace_id > w.workspace_id
          order by o.workspace_id limit 1)
        from crowded_workspaces w where w.workspace_id is not null
    ), behind_the_crowd as materialized (
      select b.* from crowded_workspaces w cross join lateral (
        select ${columns}, false as waited from orders o
        where o.workspace_id = w.workspace_id and o.attempt_number = 0 and ${isUnclaimed(db, now)}
          and o.next_dial_at at time zone 'UTC' <= ${now}::timestamptz at time zone 'UTC'
        order by o.next_dial_at at time zone 'UTC' limit 20) b
    ), waiting_workspaces as (
      (select workspace_id from orders where reason = 'live_call_limit' and next_dial_at is not null
        order by workspace_id limit 1)
      union all
      select (select o.workspace_id from orders o
          where o.reason = 'live_call_limit' and o.next_dial_at is not null and o.workspace_id > w.workspace_id
          order by o.workspace_id limit 1)
        from waiting_workspaces w where w.workspace_id is not null
    ), woken as materialized (
      select b.* from waiting_workspaces w
      cross join lateral (select least(20, free_call_slots(w.workspace_id)) as slots) free
      cross join lateral (
        select ${columns}, true as waited from orders o
        where o.workspace_id = w.workspace_id and o.reason = 'live_call_limit' and o.next_dial_at > ${now}
          and ${isUnclaimed(db, now)} and not has_live_call(o.workspace_id, o.phone)
        order by (o.attempt_number > 0), o.created_at limit free.slots) b
    ), candidates as (
      select * from first_dials union select * from behind_the_crowd
      union all select * from later_dials union all select * from woken
    )`;
}

function isUnclaimed(db: Db, now: Date) {
  return db`o.next_dial_at is not null and (o.lease_until is null or o.lease_until <= ${now})`;
}
