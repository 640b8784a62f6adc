// The client: one method per operation over one way to send.
import type * as api from './generated/api.ts';
import { operations } from './generated/api.ts';
import { type ListQuery, listEach, searchOf } from './list-orders.ts';
import { download, sendRequest } from './send-request.ts';
import type { ApiRequest, Download, RawResponse, Transport } from './send-request.ts';

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
  /** Told of every answer, also of those that are retried or become an error. */
  readonly onResponse?: (response: RawResponse) => void;
}

export interface Client {
  readonly orders: {
    /**
     * Places an order. Every attempt of one call carries the same Idempotency-Key, so a retry never
     * orders twice; give your own key to make that hold across calls and restarts.
     */
    create(
      order: api.OrderInput,
      options?: RequestOptions & { readonly idempotencyKey?: string },
    ): Promise<api.CreateOrderResponse>;
    /** Reads an order of the workspace. */
    get(orderId: string, options?: RequestOptions): Promise<api.GetOrderResponse>;
    /** The orders of the workspace, newest first; pages are fetched as the loop goes on. */
    list(
      query?: Omit<ListQuery, 'cursor'>,
      options?: RequestOptions,
    ): AsyncGenerator<api.OrderSummary, void, void>;
    /** One page; `next_cursor` gets the next. */
    listPage(query?: ListQuery, options?: RequestOptions): Promise<api.ListOrdersResponse>;
  };
  readonly leads: {
    /**
     * Posts a lead to a trigger URL: the token is its last part, and its only credential. The same
     * lead within 24 hours does not call twice.
     */
    post(
      token: string,
      lead: Readonly<Record<string, unknown>>,
      options?: RequestOptions & { readonly test?: boolean },
    ): Promise<api.ReceiveLeadResponse>;
  };
  readonly agents: {
    /** The agents of the workspace. */
    list(options?: RequestOptions): Promise<api.ListAgentsResponse>;
  };
  readonly recordings: {
    /** The MP3 of the last recorded call; `range` asks for a part, as in `bytes=0-65535`. */
    download(
      orderId: string,
      options?: RequestOptions & { readonly range?: string },
    ): Promise<Download>;
    /** An address that plays the recording for 15 minutes without a key. */
    link(orderId: string, options?: RequestOptions): Promise<api.GetRecordingLinkResponse>;
  };
  /** The workspace of the key, and whether it can place orders now. */
  me(options?: RequestOptions): Promise<api.GetMeResponse>;
}

/** Throws TypeError when the key or the address cannot be right. */
export function createClient(options: ClientOptions): Client {
  const transport = readOptions(options);
  const send = <Body>(request: ApiRequest) => sendRequest<Body>(transport, request);
  const listPage: Client['orders']['listPage'] = (query = {}, settings = {}) =>
    send(readRequest('listOrders', settings, { search: searchOf(query) }));
  return {
    orders: {
      create: (order, { idempotencyKey = crypto.randomUUID(), signal, onResponse } = {}) =>
        send({
          ...operations.createOrder,
          headers: { 'idempotency-key': idempotencyKey },
          body: order,
          signal,
          onResponse,
        }),
      get: (orderId, settings = {}) => send(readRequest('getOrder', settings, { orderId })),
      list: (query = {}, settings = {}) => listEach(query, (page) => listPage(page, settings)),
      listPage,
    },
    leads: {
      post: (token, lead, { test = false, signal, onResponse } = {}) => {
        const { method, path } = operations.receiveLead;
        const filled = path.replace('{token}', encodeURIComponent(token));
        const request = { method, path: filled + (test ? '?test=1' : ''), body: lead };
        return sendRequest(withoutKey(transport), { ...request, signal, onResponse });
      },
    },
    agents: { list: (settings = {}) => send(readRequest('listAgents', settings)) },
    recordings: {
      download: (orderId, { range, ...settings } = {}) =>
        download(transport, {
          ...readRequest('getRecording', settings, { orderId }),
          headers: { accept: 'audio/mpeg, application/json', ...(range && { range }) },
        }),
      link: (orderId, settings = {}) =>
        send(readRequest('getRecordingLink', settings, { orderId })),
    },
    me: (settings = {}) => send(readRequest('getMe', settings)),
  };
}

/** The key is nothing for an address that does not ask for it. */
function withoutKey(transport: Transport): Transport {
  const { authorization: _, ...headers } = transport.headers;
  return { ...transport, headers };
}

function readRequest(
  operation: keyof typeof operations,
  { signal, onResponse }: RequestOptions,
  { orderId = '', search = '' }: { orderId?: string; search?: string } = {},
): ApiRequest {
  const { method, path } = operations[operation];
  const filled = path.replace('{order_id}', encodeURIComponent(orderId));
  return { method, path: filled + search, signal, onResponse };
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
