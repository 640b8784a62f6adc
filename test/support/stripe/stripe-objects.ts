// The objects and errors of Stripe's REST interface that the emulator speaks, and its form encoding.
// https://docs.stripe.com/api/checkout/sessions, /api/errors, /webhooks/signature
import { createHmac } from 'node:crypto';
import { newToken } from '../../../platform/ids.ts';

export type Form = { [name: string]: string | Form };

/** `a[b][0][c]=d` as nested objects. */
export function parseForm(body: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const [last = '', ...rest] = name
      .split(/[[\]]+/)
      .filter(Boolean)
      .toReversed();
    let place = form;
    for (const key of rest.toReversed()) {
      const inner = (place[key] ??= {});
      if (typeof inner === 'string') break;
      place = inner;
    }
    place[last] = value;
  }
  return form;
}

export function at(form: Form, ...path: string[]): string | undefined {
  let place: string | Form | undefined = form;
  for (const key of path) place = typeof place === 'object' ? place[key] : undefined;
  return typeof place === 'string' ? place : undefined;
}

export interface Session {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly client_reference_id: string | null;
  readonly created: number;
  readonly expires_at: number;
  readonly livemode: false;
  readonly metadata: Readonly<Record<string, string>>;
  readonly mode: 'payment';
  amount_total: number;
  currency: string;
  payment_intent: string | null;
  payment_status: 'paid' | 'unpaid';
  status: 'open' | 'complete' | 'expired';
  /** Null once the page is closed. */
  url: string | null;
}

export interface Refusal {
  readonly status: number;
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly code?: string;
    readonly param?: string;
  };
}

const daySeconds = 86_400;

/** Checks what Stripe checks of the parameters that we send. */
export function createSession(form: Form, nowSeconds: number): Session | Refusal {
  if ('payment_method_types' in form)
    return invalid('payment_method_types', 'payment_method_types_no_longer_supported');
  if (form['mode'] !== 'payment') return invalid('mode', 'parameter_missing');
  for (const url of ['success_url', 'cancel_url'])
    if (!URL.canParse(at(form, url) ?? '')) return invalid(url, 'url_invalid');
  const price = ['line_items', '0', 'price_data'];
  const amount = Number(at(form, ...price, 'unit_amount'));
  if (!at(form, ...price, 'product_data', 'name'))
    return invalid('line_items[0][price_data][product_data][name]', 'parameter_missing');
  if (!Number.isInteger(amount)) return invalid('line_items', 'parameter_invalid_integer');
  if (amount < 50) return invalid('line_items', 'amount_too_small');
  if (amount > 99_999_999) return invalid('line_items', 'amount_too_large');
  const id = `cs_test_${newToken(24)}`;
  const metadata = form['metadata'] as Record<string, string> | undefined;
  return {
    id,
    object: 'checkout.session',
    amount_total: amount * Number(at(form, 'line_items', '0', 'quantity')),
    client_reference_id: at(form, 'client_reference_id') ?? null,
    created: nowSeconds,
    currency: at(form, ...price, 'currency') ?? '',
    expires_at: nowSeconds + daySeconds,
    livemode: false,
    metadata: metadata ?? {},
    mode: 'payment',
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    url: `https://checkout.stripe.com/c/pay/${id}`,
  };
}

export function invalid(param: string, code: string, status = 400): Refusal {
  const message = `Invalid ${param}.`;
  return { status, error: { type: 'invalid_request_error', message, code, param } };
}

export interface StripeEvent {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly pending_webhooks: number;
  readonly request: { readonly id: null; readonly idempotency_key: null };
  readonly type: string;
  readonly data: { readonly object: unknown };
}

/** A snapshot of the object as it is now. */
export function createEvent(type: string, object: object, nowSeconds: number): StripeEvent {
  return {
    id: `evt_${newToken(18)}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: nowSeconds,
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
    data: { object: structuredClone(object) },
  };
}

/** The Stripe-Signature header: HMAC-SHA256 over `<t>.<body>` with the whole secret. */
export function signatureOf(body: string, secret: string, nowSeconds: number): string {
  const v1 = createHmac('sha256', secret).update(`${nowSeconds}.${body}`).digest('hex');
  return `t=${nowSeconds},v1=${v1}`;
}
