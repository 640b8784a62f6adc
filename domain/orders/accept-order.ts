// POST /v1/orders after its body and key were found good: refuse, replay, or take the order.
import type { OrderAccepted, OrderInput } from '../../openapi/orders.ts';
import { newId } from '../../platform/ids.ts';
import type { Context } from '../context.ts';
import { readDestination } from '../leads/destination.ts';
import type { KeyIdentity } from '../workspaces/authenticate-key.ts';
import type { Asked } from './intake-verdict.ts';
import type { ExistingOrder } from './order-queries.ts';
import { takeOrder, type OrderDraft } from './take-order.ts';

export interface Acceptance {
  readonly accepted: OrderAccepted;
  /** True when an Idempotency-Key brought back an order that was taken before. */
  readonly replayed: boolean;
}

/** Throws AppError with the first refusal in the documented order; a refused order leaves nothing behind. */
export async function acceptOrder(
  ctx: Context,
  key: KeyIdentity,
  input: { order: OrderInput; idempotencyKey: string | null },
): Promise<Acceptance> {
  const destination = readDestination(input.order.lead.phone, ctx.clock.now());
  const asked: Asked = {
    kind: key.mode === 'test' ? 'simulated' : 'live',
    repeatedBy: 'key',
    agentId: input.order.agent_id,
    phone: destination.phone,
    externalReferenceId: input.order.external_reference_id ?? null,
    destinationRefusal: destination.refusal,
  };
  const order = newOrder(ctx, key, input, asked);
  const taking = await takeOrder(ctx, order, asked);
  if (taking.kind === 'taken')
    return { accepted: acceptedBody({ ...taking, id: order.id }), replayed: false };
  return { accepted: acceptedBody(taking.order), replayed: true };
}

function newOrder(
  ctx: Context,
  key: KeyIdentity,
  input: { order: OrderInput; idempotencyKey: string | null },
  asked: Asked,
): OrderDraft {
  const now = ctx.clock.now();
  const { lead, cadence, consent, webhook_url: webhookUrl } = input.order;
  return {
    workspaceId: key.workspaceId,
    id: newId('ord', now),
    kind: asked.kind,
    agentId: asked.agentId,
    phone: asked.phone ?? '',
    firstName: lead.first_name ?? null,
    customContext: lead.custom_context ?? null,
    maxAttempts: cadence?.max_attempts ?? null,
    retryIntervalMinutes: cadence?.retry_interval_minutes ?? null,
    sendSmsOnVoicemail: cadence?.send_sms_on_voicemail ?? null,
    consent,
    webhookUrl: webhookUrl ?? null,
    externalReferenceId: asked.externalReferenceId,
    idempotencyKey: input.idempotencyKey,
    payload: null,
    now,
  };
}

function acceptedBody(order: Pick<ExistingOrder, 'id' | 'estimatedDialSeconds'>): OrderAccepted {
  return {
    success: true,
    order_id: order.id,
    status: 'QUEUED',
    estimated_dial_seconds: order.estimatedDialSeconds,
  };
}
