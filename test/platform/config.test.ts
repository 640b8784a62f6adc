// The environment of payments: half of a configuration stops the start and names what is missing.
import { expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../platform/config.ts';

const key = { STRIPE_SECRET_KEY: 'sk_test_1' };
const secret = { STRIPE_WEBHOOK_SECRET: 'whsec_1' };

test('without Stripe, deposits are credit of an operator', () => {
  expect(loadConfig({}).stripe).toBeNull();
});

test('with key and webhook secret it is the real interface, or another origin when asked', () => {
  expect(loadConfig({ ...key, ...secret }).stripe).toEqual({
    secretKey: 'sk_test_1',
    webhookSecret: 'whsec_1',
    baseUrl: 'https://api.stripe.com',
  });
  const elsewhere = { ...key, ...secret, STRIPE_BASE_URL: 'http://127.0.0.1:12111' };
  expect(loadConfig(elsewhere).stripe?.baseUrl).toBe('http://127.0.0.1:12111');
});

test.each([
  [key, 'STRIPE_WEBHOOK_SECRET: is required when STRIPE_SECRET_KEY is set'],
  [secret, 'STRIPE_SECRET_KEY: is required when STRIPE_WEBHOOK_SECRET is set'],
  [{ ...secret, STRIPE_SECRET_KEY: 'pk_test_1' }, 'STRIPE_SECRET_KEY: must begin with sk_ or rk_'],
  [{ ...key, STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET: must begin with whsec_'],
  [
    { ...key, ...secret, NODE_ENV: 'production' },
    'PUBLIC_URL: is required when STRIPE_SECRET_KEY is set and NODE_ENV is production',
  ],
])('%j is refused', (environment, message) => {
  expect(() => loadConfig(environment)).toThrow(new ConfigError(message));
});
