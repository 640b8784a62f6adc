// POST /v1/orders after its body and key were found good: refuse, replay, or take the order.
import { limits } from '../../openapi/limits.ts';
import type { OrderAccepted, OrderInput } from '../../openapi/orders.ts';
import { newId } from '../../platform/ids.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import { readDestination } from '../leads/destination.ts';
import type { KeyIdentity } from '../workspaces/authenticate-key.ts';
import { intakeVerdict, type Asked } from './intake-verdict.ts';
import type { ExistingOrder, IntakeFacts, NewOrder } from './order-queries.ts';
import { insertOrderIfAllowed, unreadableSource } from './order-queries.ts';
import { simulation } from './simulated-outcome.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A live call is placed at once; this covers the way to the carrier. */
const liveDialSeconds = 2;

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
  const test = key.mode === 'test';
  const destination = readDestination(input.order.lead.phone, ctx.clock.now());
  const asked: Asked = {
    test,
    agentId: input.order.agent_id,
    phone: destination.phone,
    externalReferenceId: input.order.external_reference_id ?? null,
    destinationRefusal: destination.refusal,
  };
  const order = newOrder(ctx, key, input, asked);
  // The second round meets the winner of a race for the same Idempotency-Key.
  for (const round of [1, 2]) {
    const facts = await readFactsAndInsert(ctx, order, asked);
    if (facts.insertedId) {
      ctx.wakeJobs(order.nextDialAt);
      ctx.log.info({ orderId: order.id, workspaceId: order.workspaceId, test }, 'order accepted');
      return { accepted: acceptedBody(order), replayed: false };
    }
    const verdict = intakeVerdict(asked, facts);
    if (verdict.kind === 'replayed')
      return { accepted: acceptedBody(verdict.order), replayed: true };
    if (verdict.kind === 'refused') throw new AppError(verdict.code, verdict.message);
    ctx.log.debug({ round }, 'intake raced for an idempotency key');
  }
  throw new Error('An order was neither inserted nor found.');
}

async function readFactsAndInsert(
  ctx: Context,
  order: NewOrder,
  asked: Asked,
): Promise<IntakeFacts> {
  try {
    return await insertOrderIfAllowed(ctx.db, order, {
      maySucceed: asked.destinationRefusal === null,
      minimumBalanceMicros: limits.wallet.minimumToOrderMicros,
      testOrdersMax: limits.testOrders.per24Hours,
      since: new Date(order.now.getTime() - dayMs),
    });
  } catch (cause) {
    // Nothing was inserted or the answer was lost; the same Idempotency-Key finds out which.
    const source = await unreadableSource(ctx.db);
    if (source === 'wallets') throw new AppError('wallet_unavailable', undefined, { cause });
    if (source === 'do_not_contact')
      throw new AppError('suppression_unavailable', undefined, { cause });
    throw cause;
  }
}

function newOrder(
  ctx: Context,
  key: KeyIdentity,
  input: { order: OrderInput; idempotencyKey: string | null },
  asked: Asked,
): NewOrder {
  const now = ctx.clock.now();
  const { lead, cadence, consent, webhook_url: webhookUrl } = input.order;
  const dialAfterSeconds = asked.test
    ? simulation.dialAfterSeconds / ctx.settings.simulationSpeed
    : 0;
  return {
    workspaceId: key.workspaceId,
    id: newId('ord', now),
    test: asked.test,
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
    estimatedDialSeconds: asked.test ? Math.ceil(dialAfterSeconds) : liveDialSeconds,
    nextDialAt: new Date(now.getTime() + dialAfterSeconds * 1000),
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
