// Named SQL of what happened with one number.
import type { Db } from '../../platform/db.ts';

const entriesMax = 1_000;

export interface NumberEntry {
  readonly at: Date;
  readonly kind: 'listed' | 'lifted' | 'dial' | 'text_sent' | 'text_received';
  /** Source of an opt-out or lift, outcome of a dial, state of a text. */
  readonly what: string;
  readonly orderId: string | null;
  readonly quote: string | null;
  /** Address of the member who did it. */
  readonly by: string | null;
  readonly reason: string | null;
}

export async function findNumberHistory(
  db: Db,
  workspaceId: string,
  phone: string,
): Promise<NumberEntry[]> {
  const newest = await db<NumberEntry[]>`
    select at, kind, what, order_id, quote, by, reason from (
      select h.created_at as at, h.action as kind, h.source as what, h.order_id, h.quote,
        coalesce(u.email, h.actor) as by, h.reason, h.position
      from do_not_contact_history h left join users u on u.id = h.actor
      where h.workspace_id = ${workspaceId} and h.phone = ${phone}
      union all
      select created_at, 'dial', coalesce(outcome, state), order_id, null, null, null, 0 from attempts
      where workspace_id = ${workspaceId} and phone = ${phone} and not test
      union all
      select created_at, case direction when 'in' then 'text_received' else 'text_sent' end,
        coalesce(delivery_state, refusal, state), order_id, null, null, null, 0 from texts
      where workspace_id = ${workspaceId} and phone = ${phone} and state <> 'simulated') entries
    order by at desc, position desc, kind limit ${entriesMax}`;
  return newest.toReversed();
}
