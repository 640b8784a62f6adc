// The official package, loaded with its first use: most processes never take a payment.
import { createRequire } from 'node:module';
import type Stripe from 'stripe';

const require = createRequire(import.meta.url);

export type StripeClient = InstanceType<typeof Stripe>;

export function stripePackage(): typeof Stripe {
  // Node keeps what it loaded, and the package's types describe both of its builds.
  return require('stripe') as typeof Stripe;
}
