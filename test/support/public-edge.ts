// The HTTP edge over verbs that live in memory: real routes and sockets, no database.
import { once } from 'node:events';
import { connect } from 'node:net';
import { AppError } from '../../domain/app-error.ts';
import { createLogger } from '../../platform/log.ts';
import { systemClock } from '../../platform/clock.ts';
import type { ErrorCode } from '../../openapi/errors.ts';
import type { OrderListQuery } from '../../openapi/order-list.ts';
import type { OrderInput } from '../../openapi/orders.ts';
import { memoryVerbs } from './memory-verbs.ts';
import { buildServer } from '../../server/http/build-server.ts';

export interface PublicEdge {
  readonly url: string;
  /** What reached the domain, in order. */
  readonly taken: { order: OrderInput; idempotencyKey: string | null }[];
  /** What lists were asked for, in order. */
  readonly read: OrderListQuery[];
  readonly logLines: string[];
  readonly readiness: { database: boolean; queue: boolean };
  /**
   * The next orders are refused with this code, or break with this error; null takes them again.
   */
  failWith(failure: AppError | Error | null): void;
  /** Sends these bytes as they are and reads until the connection ends. */
  sendRaw(bytes: string): Promise<string>;
  close(): Promise<void>;
}

export async function startPublicEdge(
  options: { requestTimeoutMs?: number } = {},
): Promise<PublicEdge> {
  const taken: PublicEdge['taken'] = [];
  const read: PublicEdge['read'] = [];
  const logLines: string[] = [];
  const readiness = { database: true, queue: true };
  let failure: Error | null = null;
  const log = createLogger({
    level: 'info',
    process: 'server',
    sink: { write: (line: string) => void logLines.push(line) },
  });
  const verbs = memoryVerbs({ taken, read, failure: () => failure });
  const app = buildServer(
    {
      clock: systemClock(),
      log,
      readiness: async () => readiness,
      webhookUrlProblem: (url) => (url.startsWith('https://') ? null : 'must be https'),
    },
    { verbs, ...options },
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    taken,
    read,
    logLines,
    readiness,
    failWith: (next) => void (failure = next),
    sendRaw: (bytes) => sendRaw(Number(new URL(url).port), bytes),
    close: () => app.close(),
  };
}

/** A body that passes every check of the edge. */
export function validOrder(): Record<string, unknown> {
  return {
    agent_id: 'agt_1',
    lead: { phone: '+12125550001' },
    consent: {
      opt_in_confirmed: true,
      consented_at: systemClock().now().toISOString(),
      source: 'https://example.com/quote',
    },
  };
}

export function refusal(code: ErrorCode, retryAfterSeconds?: number): AppError {
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new AppError(code, undefined, options);
}

async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return answer;
}
