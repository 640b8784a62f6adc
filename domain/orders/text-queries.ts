// Named SQL of fallback texts.
import type { Db } from '../../platform/db.ts';
import type { SendTextResult } from '../calls/carrier.ts';

export interface AskedText {
  readonly id: string;
  readonly orderId: string;
  readonly phone: string;
  readonly callerNumber: string | null;
  readonly body: string;
}

/** Marks a due text as asked, unless the number may no longer be contacted; null when it is not to be sent. */
export async function askText(
  db: Db,
  ref: { workspaceId: string; textId: string },
  now: Date,
): Promise<AskedText | null> {
  const [text] = await db<(AskedText & { state: string })[]>`
    with asked as (
      update texts t set next_try_at = null,
        state = case when exists (select from do_not_contact d where d.workspace_id = t.workspace_id
          and d.phone = t.phone) then 'refused' else 'asked' end
      where t.workspace_id = ${ref.workspaceId} and t.id = ${ref.textId} and t.state = 'due'
      returning t.id, t.order_id, t.attempt_id, t.phone, t.caller_number, t.body, t.state)
    select asked.*, case when state = 'refused'
      then refund_text(${ref.workspaceId}, attempt_id, ${now}) end from asked`;
  return text?.state === 'asked' ? text : null;
}

/** A refused text costs nothing; a carrier that says the number opted out is an opt-out found late. */
export async function keepTextResult(
  db: Db,
  ref: { workspaceId: string; textId: string; orderId: string; phone: string },
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
