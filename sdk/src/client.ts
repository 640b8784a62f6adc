// The client: one method per operation over one way to send.
import type { CreateOrderResponse, GetOrderResponse, OrderInput } from './generated/api.ts';
import { operations } from './generated/api.ts';
import { sendRequest, type Transport } from './send-request.ts';

export interface ClientOptions {
  /** Begins with `svc_live_` or `svc_test_`. */
  readonly apiKey: string;
  /** Origin of the API, for example `https://api.example.com`. */
  readonly baseUrl: string;
  /** Time for one attempt, from sending to the last byte of the answer. Default 30,000. */
  readonly timeoutMs?: number;
  /** Attempts after the first. Default 2. */
  readonly maxRetries?: number;
  /** Wait before the first retry. Doubles to 8 seconds, less up to a quarter. Default 500. */
  readonly retryDelayMs?: number;
  /** A longer `Retry-After` is not waited for: the error is thrown at once. Default 60. */
  readonly maxRetryAfterSeconds?: number;
  /** Used in place of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

export interface Client {
  readonly orders: {
    /**
     * Places an order. Every attempt of one call carries the same Idempotency-Key, so a retry never
     * orders twice; give your own key to make that hold across calls and restarts.
     */
    create(
      order: OrderInput,
      options?: RequestOptions & { readonly idempotencyKey?: string },
    ): Promise<CreateOrderResponse>;
    /** Reads an order of the workspace. */
    get(orderId: string, options?: RequestOptions): Promise<GetOrderResponse>;
  };
}

/** Throws TypeError when the key or the address cannot be right. */
export function createClient(options: ClientOptions): Client {
  const transport = readOptions(options);
  return {
    orders: {
      create: (order, { idempotencyKey = crypto.randomUUID(), signal } = {}) =>
        sendRequest(transport, {
          ...operations.createOrder,
          headers: { 'idempotency-key': idempotencyKey },
          body: order,
          signal,
        }),
      get: (orderId, { signal } = {}) =>
        sendRequest(transport, {
          method: operations.getOrder.method,
          path: operations.getOrder.path.replace('{order_id}', encodeURIComponent(orderId)),
          signal,
        }),
    },
  };
}

function readOptions(options: ClientOptions): Transport {
  if (!/^svc_(live|test)_/.test(options.apiKey))
    throw new TypeError('apiKey must begin with svc_live_ or svc_test_.');
  if (!/^https?:\/\//.test(options.baseUrl) || !URL.canParse(options.baseUrl))
    throw new TypeError('baseUrl must be an http or https address.');
  return {
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    headers: { authorization: `Bearer ${options.apiKey}`, accept: 'application/json' },
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 2,
    retryDelayMs: options.retryDelayMs ?? 500,
    maxRetryAfterSeconds: options.maxRetryAfterSeconds ?? 60,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
  };
}
