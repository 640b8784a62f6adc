// What the public API asks of the domain. The real verbs are bound in the composition root; tests
// bind their own.
import type { OrderAccepted, OrderInput } from '../../openapi/orders.ts';
import type { LeadAccepted } from '../../openapi/leads.ts';
import type { PostedLead } from '../../domain/leads/accept-lead.ts';
import type { TriggerUrl } from '../../domain/leads/open-trigger-url.ts';
import type { KeyIdentity } from '../../domain/workspaces/authenticate-key.ts';
import type { RecordingFile } from '../../domain/recordings/open-recording.ts';
import type { RecordingLink } from '../../openapi/recording-operations.ts';
import type { OrderBody } from '../../domain/orders/order-body.ts';
import type { AgentList } from '../../openapi/agents.ts';
import type { Me } from '../../openapi/me.ts';
import type { OrderList, OrderListQuery } from '../../openapi/order-list.ts';

export interface PublicVerbs {
  /** Null when the key is missing, malformed, unknown or revoked. */
  authenticateKey(authorization: string | undefined): Promise<KeyIdentity | null>;
  /** Throws AppError with the first refusal. */
  acceptOrder(
    key: KeyIdentity,
    input: { order: OrderInput; idempotencyKey: string | null },
  ): Promise<{ accepted: OrderAccepted; replayed: boolean }>;
  /** Throws AppError when the token is unknown, its URL is off, or too many leads came to it. */
  openTriggerUrl(token: string): Promise<TriggerUrl>;
  /** Throws AppError with the first refusal. */
  acceptLead(url: TriggerUrl, posted: PostedLead): Promise<LeadAccepted>;
  /** Throws AppError when the workspace has read too much in this minute. */
  takeRead(key: KeyIdentity): Promise<void>;
  /** Throws AppError when the cursor is not good for these filters. */
  listOrders(key: KeyIdentity, query: OrderListQuery): Promise<OrderList>;
  readMe(key: KeyIdentity): Promise<Me>;
  listAgents(key: KeyIdentity): Promise<AgentList>;
  /** Null when the workspace of the key has no such order. */
  readOrder(key: KeyIdentity, orderId: string): Promise<OrderBody | null>;
  /** The workspace that a playable link of this order speaks for; null when it is not good. */
  readRecordingLink(orderId: string, token: string): string | null;
  /** Throws AppError when there is no audio to send. */
  openRecording(workspaceId: string, orderId: string): Promise<RecordingFile>;
  /** Throws AppError when there is nothing to link to, or no link can be made. */
  createRecordingLink(workspaceId: string, orderId: string): Promise<RecordingLink>;
}
