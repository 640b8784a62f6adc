// Named SQL of what a dial is decided on: the order, its agent, and the numbers it may be called from.
import type { Db } from '../../platform/db.ts';
import type { AgentConfig } from '../agents/agent-config.ts';
import type { CallerNumber } from './choose-caller-number.ts';
import type { Order } from '../orders/order.ts';

export interface DialFile {
  readonly order: Order;
  /** Its number is on the do-not-contact list; what is simulated rings nobody. */
  readonly optedOut: boolean;
  readonly agent: AgentConfig;
  /** Those of the carrier that may be used, as seen from the lead; empty for a simulated order. */
  readonly callerNumbers: readonly CallerNumber[];
}

type Row = Order & {
  readonly agent: AgentConfig;
  readonly optedOut: boolean;
  readonly callerNumbers: readonly { readonly [Key in keyof CallerNumber]: string | null }[] | null;
};

/** In one round trip, as every dial makes it. Rejects when the do-not-contact list cannot be read. */
export async function findDialFile(
  db: Db,
  ref: { workspaceId: string; orderId: string },
  { carrier, now }: { carrier: string; now: Date },
): Promise<DialFile | null> {
  const [row] = await db<Row[]>`
    select o.*, v.config as agent,
      not o.simulated and exists (select from do_not_contact d
        where d.workspace_id = o.workspace_id and d.phone = o.phone) as opted_out,
      (select jsonb_agg(jsonb_build_object('phone', n.phone, 'freeAt', caller_number_free_at(n, ${now}),
          'rangLeadAt', (select max(a.created_at) from attempts a where a.workspace_id = n.workspace_id
            and a.phone = o.phone and a.caller_number = n.phone and not a.test and a.state <> 'not_placed'),
          'lastDialAt', (select max(a.created_at) from attempts a where a.workspace_id = n.workspace_id
            and a.caller_number = n.phone and not a.test and a.state <> 'not_placed')))
        from caller_numbers n where n.workspace_id = o.workspace_id and calls_over(n, ${carrier})
          and not o.simulated) as caller_numbers
    from orders o
    join agent_versions v on v.workspace_id = o.workspace_id and v.agent_id = o.agent_id
      and v.version = o.agent_version
    where o.workspace_id = ${ref.workspaceId} and o.id = ${ref.orderId}`;
  if (!row) return null;
  const { agent, optedOut, callerNumbers, ...order } = row;
  const readTime = (text: string | null) => (text === null ? null : new Date(text));
  return {
    order,
    optedOut,
    agent,
    // Times inside JSON arrive as text.
    callerNumbers: (callerNumbers ?? []).map(({ phone, freeAt, rangLeadAt, lastDialAt }) => ({
      phone: phone ?? '',
      freeAt: readTime(freeAt) ?? now,
      rangLeadAt: readTime(rangLeadAt),
      lastDialAt: readTime(lastDialAt),
    })),
  };
}
