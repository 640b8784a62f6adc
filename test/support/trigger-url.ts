// A trigger URL of a test's own, and leads posted to it over HTTP.
import { createHash } from 'node:crypto';
import type { Context } from '../../domain/context.ts';
import * as queries from '../../domain/workspaces/seed-queries.ts';
import { newId } from '../../platform/ids.ts';
import { assertConforms } from './conformance.ts';
import { letters, type TestWorkspace } from './factories.ts';

export interface TestTriggerUrl {
  readonly id: string;
  readonly token: string;
}

export async function createTriggerUrl(
  ctx: Context,
  workspace: TestWorkspace,
  agentId = workspace.agentId,
): Promise<TestTriggerUrl> {
  const now = ctx.clock.now();
  const url = { id: newId('trg', now), token: letters(43) };
  await queries.insertTriggerUrl(ctx.db, {
    workspaceId: workspace.id,
    id: url.id,
    agentId,
    tokenHash: createHash('sha256').update(url.token).digest(),
    now,
  });
  return url;
}

export interface LeadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly success: boolean;
    readonly error?: string;
    readonly message?: string;
    readonly order_id?: string;
    readonly status?: string;
    readonly duplicate?: boolean;
    readonly test?: boolean;
  };
}

type LeadBody = NonNullable<RequestInit['body']>;

/** Objects go as JSON; every answer is held to the document. */
export async function postLead(
  port: number,
  token: string,
  body: LeadBody | Record<string, unknown> | readonly unknown[],
  { query = '', contentType }: { query?: string; contentType?: string } = {},
): Promise<LeadAnswer> {
  const isRaw =
    typeof body === 'string' ||
    body instanceof URLSearchParams ||
    body instanceof FormData ||
    body instanceof Uint8Array;
  const path = `/v1/hooks/lead/${token}${query}`;
  const type = contentType ?? (isRaw ? undefined : 'application/json');
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    ...(type !== undefined && { headers: { 'content-type': type } }),
    body: isRaw ? (body as LeadBody) : JSON.stringify(body),
  });
  const text = await response.text();
  const headers = Object.fromEntries(response.headers);
  assertConforms({ method: 'POST', path, status: response.status, headers, body: text });
  // The line above holds the answer to the document.
  return {
    status: response.status,
    headers: response.headers,
    body: JSON.parse(text) as LeadAnswer['body'],
  };
}
