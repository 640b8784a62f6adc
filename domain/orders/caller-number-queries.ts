// Named SQL of the numbers that a workspace calls from.
import type { Db } from '../../platform/db.ts';
import type { CallerNumber } from './choose-caller-number.ts';

/** The active ones, as seen from the lead of an order. */
export async function findCallerNumbers(
  db: Db,
  ref: { workspaceId: string; orderId: string },
  now: Date,
): Promise<CallerNumber[]> {
  return db<CallerNumber[]>`
    select n.phone, caller_number_free_at(n, ${now}) as free_at,
      (select max(a.created_at) from attempts a where a.workspace_id = n.workspace_id and a.phone = o.phone
        and a.caller_number = n.phone and not a.test and a.state <> 'not_placed') as rang_lead_at,
      (select max(a.created_at) from attempts a where a.workspace_id = n.workspace_id
        and a.caller_number = n.phone and not a.test and a.state <> 'not_placed') as last_dial_at
    from orders o join caller_numbers n on n.workspace_id = o.workspace_id and n.active
    where o.workspace_id = ${ref.workspaceId} and o.id = ${ref.orderId} and not o.simulated`;
}
