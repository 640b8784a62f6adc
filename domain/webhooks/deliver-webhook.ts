// One attempt of a delivery: sign with a fresh time, send, record, and name the next try.
import { limits } from '../../openapi/limits.ts';
import type { Context } from '../context.ts';
import { openWebhookSecret } from '../workspaces/webhook-secret.ts';
import { findWebhookSecrets } from '../workspaces/workspace-queries.ts';
import { sendWebhookRequest, type WebhookSendResult } from './send-webhook-request.ts';
import { signWebhook } from './signature.ts';
import {
  findLeasedDelivery,
  recordDeliveryAttempt,
  type LeasedDelivery,
} from './webhook-queries.ts';

const minuteMs = 60_000;
/** Spreads retries of many deliveries; never earlier than promised. */
const jitterShare = 0.1;

/** At least once: a worker that dies between sending and recording sends again, with the same id and bytes. */
export async function deliverWebhook(
  ctx: Context,
  ref: { workspaceId: string; deliveryId: string; leaseToken: number },
) {
  const delivery = await findLeasedDelivery(ctx.db, ref);
  if (!delivery) return;
  const startedAt = ctx.clock.now();
  const secrets = await openWebhookSecrets(ctx, ref.workspaceId, startedAt);
  const unixSeconds = Math.floor(startedAt.getTime() / 1000);
  const result = await sendWebhookRequest({
    url: delivery.url,
    body: delivery.body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      'X-Service-Event': delivery.event,
      'X-Service-Delivery': delivery.id,
      'X-Service-Signature': signWebhook(secrets, unixSeconds, delivery.body),
    },
    timeoutMs: limits.webhook.responseTimeoutSeconds * 1000,
    allowLocal: ctx.settings.webhookAllowLocalUrls,
  });
  await record(ctx, ref, delivery, result, startedAt);
}

async function record(
  ctx: Context,
  ref: { workspaceId: string; leaseToken: number },
  delivery: LeasedDelivery,
  result: WebhookSendResult,
  startedAt: Date,
) {
  const now = ctx.clock.now();
  const nextAttemptAt = result.kind === 'delivered' ? null : retryTime(delivery.attempts + 1, now);
  const kept = await recordDeliveryAttempt(ctx.db, {
    workspaceId: ref.workspaceId,
    deliveryId: delivery.id,
    leaseToken: ref.leaseToken,
    startedAt,
    durationMs: result.durationMs,
    httpStatus: result.status,
    error: result.kind === 'failed' ? result.error : null,
    state: result.kind === 'delivered' ? 'delivered' : nextAttemptAt ? 'due' : 'exhausted',
    nextAttemptAt,
    now,
  });
  ctx.log.info(
    { deliveryId: delivery.id, outcome: result.kind, httpStatus: result.status, kept },
    'webhook attempted',
  );
  if (kept && nextAttemptAt) ctx.wakeJobs(nextAttemptAt);
}

/** Null after the last attempt. */
export function retryTime(attemptsMade: number, now: Date, spread = spreadOf(now)): Date | null {
  const delayMinutes = limits.webhook.retryDelaysMinutes[attemptsMade - 1];
  if (delayMinutes === undefined) return null;
  return new Date(now.getTime() + delayMinutes * minuteMs * (1 + jitterShare * spread));
}

/** Between 0 and 1, from the clock's own digits: nothing here needs to be unpredictable. */
function spreadOf(now: Date): number {
  return (now.getTime() % 1000) / 1000;
}

async function openWebhookSecrets(ctx: Context, workspaceId: string, now: Date) {
  const sealed = await findWebhookSecrets(ctx.db, workspaceId, now);
  if (!sealed) throw new Error('The workspace of a delivery is gone.');
  const current = openWebhookSecret(ctx.appSecret, sealed.current);
  return sealed.old ? [current, openWebhookSecret(ctx.appSecret, sealed.old)] : [current];
}
