// A Stripe Checkout Session in our words. Pure.
import type Stripe from 'stripe';
import type { Checkout } from '../../../domain/billing/payments.ts';

/** The only fields that are read of it, from the API and from events alike. */
export type SessionFields = Pick<
  Stripe.Checkout.Session,
  'id' | 'status' | 'payment_status' | 'amount_total' | 'currency' | 'metadata'
>;

export function readCheckout(session: SessionFields): Checkout {
  const { metadata } = session;
  return {
    checkoutId: session.id,
    workspaceId: metadata?.['workspace_id'] ?? null,
    depositId: metadata?.['deposit_id'] ?? null,
    state: stateOf(session),
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? '',
  };
}

/** `no_payment_required` is a session of which nothing was taken: nothing to credit. */
function stateOf({ status, payment_status }: SessionFields): Checkout['state'] {
  if (payment_status === 'paid') return 'paid';
  if (status === 'expired') return 'expired';
  return status === 'complete' ? 'processing' : 'open';
}
