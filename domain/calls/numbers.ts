// The numbers port: a carrier that sells the numbers from which its calls are made.

export interface NumberForSale {
  readonly phone: string;
  /** Town and state, as far as the carrier tells. */
  readonly locality: string | null;
  readonly region: string | null;
}

export type NumberSearch =
  | { readonly kind: 'found'; readonly numbers: readonly NumberForSale[] }
  | { readonly kind: 'unreachable'; readonly detail: string };

export type BuyNumberResult =
  | { readonly kind: 'bought'; readonly carrierNumberId: string }
  /** A definite no: nothing was bought. */
  | {
      readonly kind: 'refused';
      readonly why: 'not_available' | 'carrier_fault' | 'too_many_requests';
      readonly code: string;
    }
  /** Bought, being bought, or not: it is looked up, never repeated. */
  | { readonly kind: 'unknown'; readonly detail: string };

export type NumberLookup =
  | { readonly kind: 'owned'; readonly carrierNumberId: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreachable'; readonly detail: string };

export interface OwnedNumber {
  readonly carrierNumberId: string;
  readonly phone: string;
  /** Ours, where it was bought through us. */
  readonly reference: string | null;
}

export type OwnedNumbers =
  | { readonly kind: 'found'; readonly numbers: readonly OwnedNumber[] }
  | { readonly kind: 'unreachable'; readonly detail: string };

export interface Numbers {
  /** Local numbers for calls and texts. */
  searchNumbers(query: { areaCode: string; limit: number }): Promise<NumberSearch>;
  /** Keeps the reference with the number, so that an unknown outcome can be looked up by it. */
  buyNumber(order: { phone: string; reference: string }): Promise<BuyNumberResult>;
  findNumber(order: { phone: string; reference: string }): Promise<NumberLookup>;
  listNumbers(): Promise<OwnedNumbers>;
  releaseNumber(carrierNumberId: string): Promise<'released' | 'already_released' | 'unreachable'>;
}
