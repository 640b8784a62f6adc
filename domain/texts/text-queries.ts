// Named SQL of texts, both ways.
import type { Db } from '../../platform/db.ts';
import type { SendTextResult, TextStateEvent } from '../calls/carrier.ts';
import type { ReceivedText } from './received-text.ts';

export interface AskedText {
  readonly id: string;
  /** Null on the answer to somebody whom no order knows. */
  readonly orderId: string | null;
  readonly phone: string;
  readonly callerNumber: string | null;
  readonly body: string;
}

/**
 * Marks a due text as asked; null when it is not to be sent. A number on the list gets no text, and what the text
 * had cost comes back; only the answer to the person's own text goes out, which confirms a STOP.
 */
export async function askText(
  db: Db,
  ref: { workspaceId: string; textId: string },
  now: Date,
): Promise<AskedText | null> {
  const [text] = await db<(AskedText & { state: string })[]>`
    with judged as (
      update texts t set next_try_at = null, (state, refusal) = (select
          case when listed then 'refused' else 'asked' end, case when listed then 'do_not_contact' end
        from (select t.answers_text_id is null and exists (select from do_not_contact d
          where d.workspace_id = t.workspace_id and d.phone = t.phone) as listed) list)
      where t.workspace_id = ${ref.workspaceId} and t.id = ${ref.textId} and t.state = 'due'
      returning t.*)
    select id, order_id, phone, caller_number, body, state,
      case when state = 'refused' then refund_text(workspace_id, attempt_id, ${now}) end as refunded
    from judged`;
  return text?.state === 'asked' ? text : null;
}

/** A refused text costs nothing; a carrier that says the number opted out is an opt-out found late. */
export async function keepTextResult(
  db: Db,
  ref: { workspaceId: string; textId: string; orderId: string | null; phone: string },
  result: SendTextResult,
  now: Date,
) {
  const state = result.kind;
  const carrierTextId = result.kind === 'sent' ? result.carrierTextId : null;
  const refusal = result.kind === 'refused' ? result.why : null;
  await db`
    with kept as (
      update texts set state = ${state}, carrier_text_id = ${carrierTextId}, refusal = ${refusal}
      where workspace_id = ${ref.workspaceId} and id = ${ref.textId} and state = 'asked'
      returning attempt_id)
    select refund_text(${ref.workspaceId}, attempt_id, ${now}),
      case when ${refusal}::text = 'do_not_contact' then
        suppress_number(${ref.workspaceId}, ${ref.phone}, 'carrier', null, ${ref.orderId}, ${now}) end
    from kept where ${refusal}::text is not null`;
}

/** Once and only forward; tells whether it made an opt-out known. */
export async function keepTextState(
  db: Db,
  ref: { workspaceId: string; textId: string },
  event: TextStateEvent,
  now: Date,
): Promise<{ outcome: 'applied' | 'ignored' | 'opted_out'; phone: string | null }> {
  const [row] = await db<{ outcome: 'applied' | 'ignored' | 'opted_out'; phone: string | null }[]>`
    select apply_text_state(${ref.workspaceId}, ${ref.textId}, ${event.carrierTextId}, ${event.state},
        ${event.errorCode}, ${event.optedOut}, ${now}) as outcome,
      (select phone from texts where workspace_id = ${ref.workspaceId} and id = ${ref.textId}) as phone`;
  return row ?? { outcome: 'ignored', phone: null };
}

export interface TextedWorkspace {
  readonly workspaceId: string;
  /** The lead's latest order there; null when the workspace never had to do with this person. */
  readonly orderId: string | null;
  /** As the agent of that order names it, else the workspace's own name. */
  readonly businessName: string;
  readonly listed: boolean;
}

/** Whose number it is; the workspace that had to do with the person last comes first. */
export async function findTextedWorkspaces(
  db: Db,
  text: { callerNumber: string; phone: string },
): Promise<TextedWorkspace[]> {
  return db<TextedWorkspace[]>`
    select w.id as workspace_id, o.id as order_id, coalesce(v.config->>'businessName', w.name) as business_name,
      d.phone is not null as listed
    from (select distinct workspace_id from caller_numbers where phone = ${text.callerNumber}) n
    join workspaces w on w.id = n.workspace_id
    left join do_not_contact d on d.workspace_id = w.id and d.phone = ${text.phone}
    left join lateral (select coalesce(
        (select id from orders where workspace_id = w.id and phone = ${text.phone} and completed_at is null
          and not simulated order by created_at desc limit 1),
        (select order_id from attempts where workspace_id = w.id and phone = ${text.phone} and not test
          order by created_at desc limit 1),
        d.order_id) as id) latest on true
    left join orders o on o.workspace_id = w.id and o.id = latest.id
    left join agent_versions v on v.workspace_id = w.id and v.agent_id = o.agent_id and v.version = o.agent_version
    order by o.created_at desc nulls last, w.id`;
}

export type ReceivedOutcome =
  | 'repeated'
  | 'kept'
  | 'listed'
  | 'listed_before'
  | 'lifted'
  | 'not_listed'
  | 'helped'
  | 'helped_before';

/** Keeps the text for each workspace, with all that it brings about, as one statement. */
export async function receiveTexts(
  db: Db,
  received: readonly ReceivedText[],
): Promise<{ workspaceId: string; outcome: ReceivedOutcome }[]> {
  return db<{ workspaceId: string; outcome: ReceivedOutcome }[]>`
    select received->>'workspaceId' as workspace_id, receive_text(received) as outcome
    from jsonb_array_elements(${db.json(received as never)}) received`;
}
