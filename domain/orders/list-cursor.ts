// The opaque cursor of the order list: where a page ended and what it filtered, signed. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { OrderStatus } from '../../openapi/outcome.ts';

/** What a list shows; null means everything. */
export interface OrderFilter {
  readonly statuses: readonly OrderStatus[] | null;
  readonly since: Date | null;
  readonly agentId: string | null;
}

/** The last order of a page. */
export interface ListPosition {
  /** With microseconds, as the database writes it. */
  readonly createdAt: string;
  readonly id: string;
}

export interface ListCursor {
  readonly position: ListPosition;
  readonly filter: OrderFilter;
}

const Content = z.tuple([
  z.string(),
  z.string(),
  z.array(OrderStatus).nullable(),
  z.number().nullable(),
  z.string().nullable(),
]);

const signatureBytes = 16;

export function createListCursor(
  secret: string,
  workspaceId: string,
  { position, filter }: ListCursor,
): string {
  const content: z.input<typeof Content> = [
    position.createdAt,
    position.id,
    filter.statuses && [...filter.statuses],
    filter.since?.getTime() ?? null,
    filter.agentId,
  ];
  const encoded = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${encoded}.${sign(secret, workspaceId, encoded).toString('base64url')}`;
}

/** Null unless this service made the cursor for this workspace. */
export function readListCursor(
  secret: string,
  workspaceId: string,
  cursor: string,
): ListCursor | null {
  const [encoded = '', signature = ''] = cursor.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(secret, workspaceId, encoded);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const content: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
  const [createdAt, id, statuses, sinceMs, agentId] = Content.parse(content);
  const since = sinceMs === null ? null : new Date(sinceMs);
  return { position: { createdAt, id }, filter: { statuses, since, agentId } };
}

function sign(secret: string, workspaceId: string, encoded: string): Buffer {
  return createHmac('sha256', secret)
    .update(`order-list:${workspaceId}:${encoded}`)
    .digest()
    .subarray(0, signatureBytes);
}
