// Named SQL of the do-not-contact list.
import { anonymousCaller } from '../calls/caller.ts';
import type { Db } from '../../platform/db.ts';
import type { CallRef } from '../calls/call-desk.ts';
import type { OptOutSource } from './opt-out.ts';

export interface OptOut {
  readonly workspaceId: string;
  readonly phone: string;
  readonly source: OptOutSource;
  /** The words that were said, when they were. */
  readonly quote?: string | null;
  readonly orderId?: string | null;
  /** The member who added it, and why. */
  readonly actor?: string | null;
  readonly reason?: string | null;
}

/** Throws when the list cannot be read: nothing may be dialled or texted then. */
export async function isListed(db: Db, workspaceId: string, phone: string): Promise<boolean> {
  const [row] = await db<{ listed: boolean }[]>`
    select exists (select from do_not_contact
      where workspace_id = ${workspaceId} and phone = ${phone}) as listed`;
  if (!row) throw new Error('A select without a table gives one row.');
  return row.listed;
}

/** True when the number was not on the list before. */
export async function suppressNumber(db: Db, optOut: OptOut, now: Date): Promise<boolean> {
  const [row] = await db<{ listed: boolean }[]>`
    select suppress_number(${optOut.workspaceId}, ${optOut.phone}, ${optOut.source}, ${optOut.quote ?? null},
      ${optOut.orderId ?? null}, ${now}, ${optOut.actor ?? null}, ${optOut.reason ?? null}) as listed`;
  return row?.listed === true;
}

/** The number of a call goes on the list; answers it, or null when there is no such call. */
export async function suppressCalledNumber(
  db: Db,
  call: CallRef,
  { source, quote }: { source: 'said' | 'wrong_number' | 'carrier'; quote: string | null },
  now: Date,
): Promise<string | null> {
  const [row] = await db<{ phone: string }[]>`
    select phone, suppress_number(${call.workspaceId}, phone, ${source}, ${quote}, ${call.orderId}, ${now})
    from attempts where workspace_id = ${call.workspaceId} and id = ${call.attemptId}
      and phone <> ${anonymousCaller}`;
  return row?.phone ?? null;
}

/** How many of the numbers were not on the list before. */
export async function suppressNumbers(
  db: Db,
  added: {
    workspaceId: string;
    actor: string;
    numbers: readonly { readonly phone: string; readonly reason: string | null }[];
  },
  now: Date,
): Promise<number> {
  // In order, so that two imports of the same numbers wait for each other instead of deadlocking.
  const numbers = added.numbers.toSorted((a, b) => (a.phone < b.phone ? -1 : 1));
  const [row] = await db<{ listed: number }[]>`
    select count(*) filter (where suppress_number(${added.workspaceId}, phone, 'added', null, null, ${now},
      ${added.actor}, reason))::int as listed
    from unnest(${numbers.map(({ phone }) => phone)}::text[], ${numbers.map(({ reason }) => reason)}::text[])
      as added(phone, reason)`;
  return row?.listed ?? 0;
}

export type LiftAnswer = 'lifted' | 'not_listed' | 'kept';

export async function liftNumber(
  db: Db,
  lift: {
    workspaceId: string;
    phone: string;
    liftable: readonly OptOutSource[];
    actor: string;
    reason: string;
  },
  now: Date,
): Promise<LiftAnswer> {
  const [row] = await db<{ answer: LiftAnswer }[]>`
    select lift_number(${lift.workspaceId}, ${lift.phone}, ${[...lift.liftable]}::text[], 'removed', ${now},
      ${lift.actor}, ${lift.reason}) as answer`;
  return row?.answer ?? 'not_listed';
}

export interface ListedNumber {
  readonly phone: string;
  readonly source: OptOutSource;
  readonly quote: string | null;
  readonly orderId: string | null;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly createdAt: Date;
}

/** In order of number, from behind `after`; `digits` stand anywhere in it. */
export async function findListedNumbers(
  db: Db,
  query: { workspaceId: string; digits: string; after: string; limit: number },
): Promise<ListedNumber[]> {
  return db<ListedNumber[]>`
    select phone, source, quote, order_id, actor, reason, created_at from do_not_contact
    where workspace_id = ${query.workspaceId} and phone > ${query.after}
      and (${query.digits} = '' or position(${query.digits} in phone) > 0)
    order by phone limit ${query.limit}`;
}

export async function findListing(
  db: Db,
  workspaceId: string,
  phone: string,
): Promise<ListedNumber | null> {
  const [number] = await db<ListedNumber[]>`
    select phone, source, quote, order_id, actor, reason, created_at from do_not_contact
    where workspace_id = ${workspaceId} and phone = ${phone}`;
  return number ?? null;
}

/** Calls to the numbers that nobody has answered yet. */
export async function findRingingCalls(db: Db, workspaceId: string, phones: readonly string[]) {
  return db<{ attemptId: string; carrierCallId: string }[]>`
    select id as attempt_id, carrier_call_id from attempts
    where workspace_id = ${workspaceId} and phone = any(${[...phones]}::text[]) and state = 'placed' and not test
      and carrier_call_id is not null and gateway_seen_at is null`;
}
