// The payments port: a provider that takes a customer's money on a page of its own and tells how it went.

export interface CheckoutRequest {
  readonly workspaceId: string;
  /** Comes back with everything that is told of the checkout; also the key that makes a repeat the same one. */
  readonly depositId: string;
  readonly amountCents: number;
  /** Where the customer's browser goes afterwards, paid or not. */
  readonly returnUrl: string;
}

export type CheckoutResult =
  | { readonly kind: 'created'; readonly checkoutId: string; readonly url: string }
  | { readonly kind: 'refused'; readonly detail: string }
  /** Nobody knows whether there is one, and nobody can pay it: its address was never told. */
  | { readonly kind: 'unknown'; readonly detail: string };

export interface Checkout {
  readonly checkoutId: string;
  /** Null on a checkout that is not ours: the account may sell other things. */
  readonly workspaceId: string | null;
  readonly depositId: string | null;
  /** processing: the customer is done, the money is not there yet. */
  readonly state: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  /** What was or is to be taken. */
  readonly amountCents: number;
  /** ISO 4217 in lower case. */
  readonly currency: string;
}

export type CheckoutLookup =
  | { readonly kind: 'found'; readonly checkout: Checkout }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreachable'; readonly detail: string };

export type PaymentReading =
  | { readonly kind: 'checkout'; readonly eventId: string; readonly checkout: Checkout }
  /** Money that was taken is going back: refunded at the provider, or disputed by the card's holder. */
  | { readonly kind: 'reversed'; readonly eventId: string; readonly depositId: string | null }
  /** Genuine, and about something that we do not act on. */
  | { readonly kind: 'other'; readonly eventId: string }
  | { readonly kind: 'forged' };

export interface Payments {
  readonly name: string;
  startCheckout(request: CheckoutRequest): Promise<CheckoutResult>;
  findCheckout(checkoutId: string): Promise<CheckoutLookup>;
  /** Verifies the signature over the raw bytes of a webhook. */
  readEvent(request: {
    body: Buffer;
    signature: string | undefined;
    receivedAt: Date;
  }): PaymentReading;
}
