// What the public API asks of the domain. The real verbs are bound in the composition root; tests
// bind their own.
import type { OrderAccepted, OrderInput } from '../../openapi/orders.ts';
import type { KeyIdentity } from '../../domain/workspaces/authenticate-key.ts';
import type { OrderBody } from '../../domain/orders/order-body.ts';

export interface PublicVerbs {
  /** Null when the key is missing, malformed, unknown or revoked. */
  authenticateKey(authorization: string | undefined): Promise<KeyIdentity | null>;
  /** Throws AppError with the first refusal. */
  acceptOrder(
    key: KeyIdentity,
    input: { order: OrderInput; idempotencyKey: string | null },
  ): Promise<{ accepted: OrderAccepted; replayed: boolean }>;
  /** Null when the workspace of the key has no such order. */
  readOrder(key: KeyIdentity, orderId: string): Promise<OrderBody | null>;
}
