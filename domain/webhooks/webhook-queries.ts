// Named SQL of deliveries.
import type { Db } from '../../platform/db.ts';

export interface LeasedDelivery {
  readonly id: string;
  readonly orderId: string;
  readonly event: 'order.completed' | 'order.updated';
  readonly url: string;
  readonly body: Buffer;
  readonly attempts: number;
}

/** Null when the lease was lost or the delivery is finished. */
export async function findLeasedDelivery(
  db: Db,
  ref: { workspaceId: string; deliveryId: string; leaseToken: number },
): Promise<LeasedDelivery | null> {
  const [delivery] = await db<LeasedDelivery[]>`
    select id, order_id, event, url, body, attempts from deliveries
    where workspace_id = ${ref.workspaceId} and id = ${ref.deliveryId} and state = 'due'
      and lease_token = ${ref.leaseToken}`;
  return delivery ?? null;
}

/** Writes the attempt and what follows from it together; false when another sender holds the lease now. */
export async function recordDeliveryAttempt(
  db: Db,
  attempt: {
    workspaceId: string;
    deliveryId: string;
    leaseToken: number;
    startedAt: Date;
    durationMs: number;
    httpStatus: number | null;
    error: string | null;
    state: 'due' | 'delivered' | 'exhausted';
    nextAttemptAt: Date | null;
    now: Date;
  },
): Promise<boolean> {
  const rows = await db`
    with moved as (
      update deliveries set state = ${attempt.state}, attempts = attempts + 1,
        next_attempt_at = ${attempt.nextAttemptAt}, lease_until = null,
        finished_at = ${attempt.state === 'due' ? null : attempt.now}
      where workspace_id = ${attempt.workspaceId} and id = ${attempt.deliveryId} and state = 'due'
        and lease_token = ${attempt.leaseToken}
      returning attempts)
    insert into delivery_attempts
      (workspace_id, delivery_id, number, started_at, duration_ms, http_status, error)
    select ${attempt.workspaceId}, ${attempt.deliveryId}, attempts, ${attempt.startedAt},
      ${Math.round(attempt.durationMs)}, ${attempt.httpStatus}, ${attempt.error} from moved
    returning 1`;
  return rows.length > 0;
}
