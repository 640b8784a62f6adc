// The payments port over Stripe Checkout: https://docs.stripe.com/payments/checkout
import type Stripe from 'stripe';
import type {
  CheckoutLookup,
  CheckoutRequest,
  CheckoutResult,
  PaymentReading,
  Payments,
} from '../../../domain/billing/payments.ts';
import { readCheckout } from './read-checkout.ts';
import { stripePackage, type StripeClient } from './stripe-package.ts';

const limits = {
  requestTimeoutMs: 15_000,
  /** Every request carries a key or changes nothing, so a repeat is safe. */
  retriesMax: 2,
  /** Age up to which a signature is taken, as the vendor advises. */
  signatureToleranceSeconds: 300,
} as const;

/** Money is there at once with these; delayed ways to pay would leave a deposit open for days. */
const paymentMethods: Stripe.Checkout.SessionCreateParams.AllowedPaymentMethodType[] = ['card'];

export interface StripeAccount {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Origin of the REST interface. */
  readonly baseUrl: string;
  readonly requestTimeoutMs?: number;
}

export function createStripePayments(account: StripeAccount): Payments {
  let made: StripeClient | undefined;
  const client = () => (made ??= createClient(account));
  return {
    name: 'stripe',
    startCheckout: (request) => startCheckout(client(), request),
    findCheckout: (checkoutId) => findCheckout(client(), checkoutId),
    readEvent: (request) => readEvent(client(), account.webhookSecret, request),
  };
}

function createClient({ secretKey, baseUrl, requestTimeoutMs }: StripeAccount): StripeClient {
  const { protocol, hostname, port } = new URL(baseUrl);
  const secure = protocol === 'https:';
  return new (stripePackage())(secretKey, {
    protocol: secure ? 'https' : 'http',
    host: hostname,
    port: port || (secure ? 443 : 80),
    timeout: requestTimeoutMs ?? limits.requestTimeoutMs,
    maxNetworkRetries: limits.retriesMax,
    telemetry: false,
  });
}

async function startCheckout(
  client: StripeClient,
  request: CheckoutRequest,
): Promise<CheckoutResult> {
  const metadata = { workspace_id: request.workspaceId, deposit_id: request.depositId };
  try {
    const session = await client.checkout.sessions.create(
      {
        mode: 'payment',
        allowed_payment_method_types: paymentMethods,
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'usd',
              unit_amount: request.amountCents,
              product_data: { name: 'Wallet deposit' },
            },
          },
        ],
        // Stripe would otherwise show and take other currencies.
        adaptive_pricing: { enabled: false },
        client_reference_id: request.depositId,
        metadata,
        payment_intent_data: { metadata },
        success_url: request.returnUrl,
        cancel_url: request.returnUrl,
      },
      { idempotencyKey: request.depositId },
    );
    return session.url
      ? { kind: 'created', checkoutId: session.id, url: session.url }
      : { kind: 'unknown', detail: 'answer without a URL' };
  } catch (error) {
    return readFailure(error);
  }
}

async function findCheckout(client: StripeClient, checkoutId: string): Promise<CheckoutLookup> {
  try {
    const session = await client.checkout.sessions.retrieve(checkoutId);
    return { kind: 'found', checkout: readCheckout(session) };
  } catch (error) {
    const failure = readFailure(error);
    if (failure.detail === 'HTTP 404 resource_missing') return { kind: 'none' };
    return { kind: 'unreachable', detail: failure.detail };
  }
}

function readEvent(
  client: StripeClient,
  secret: string,
  request: { body: Buffer; signature: string | undefined; receivedAt: Date },
): PaymentReading {
  let event: Stripe.Event;
  try {
    event = client.webhooks.constructEvent(
      request.body,
      request.signature ?? '',
      secret,
      limits.signatureToleranceSeconds,
      undefined,
      request.receivedAt.getTime(),
    );
  } catch {
    return { kind: 'forged' };
  }
  const eventId = event.id;
  if (event.type === 'checkout.session.async_payment_failed') {
    const checkout = readCheckout(event.data.object);
    return { kind: 'checkout', eventId, checkout: { ...checkout, state: 'failed' } };
  }
  if (
    event.type === 'checkout.session.completed' ||
    event.type === 'checkout.session.async_payment_succeeded' ||
    event.type === 'checkout.session.expired'
  )
    return { kind: 'checkout', eventId, checkout: readCheckout(event.data.object) };
  if (event.type === 'charge.refunded' || event.type === 'charge.dispute.created')
    return {
      kind: 'reversed',
      eventId,
      depositId: event.data.object.metadata['deposit_id'] ?? null,
    };
  return { kind: 'other', eventId };
}

/** A 4xx is a definite no; anything else leaves open what happened. Messages may quote what was sent. */
function readFailure(error: unknown): Exclude<CheckoutResult, { kind: 'created' }> {
  if (!(error instanceof Error)) return { kind: 'unknown', detail: 'no error object' };
  const { statusCode, code } = error as Error & { statusCode?: number; code?: string };
  if (statusCode === undefined) return { kind: 'unknown', detail: code ?? error.name };
  const detail = [`HTTP ${statusCode}`, code].filter(Boolean).join(' ');
  return { kind: statusCode < 500 ? 'refused' : 'unknown', detail };
}
