// The environment: half of a configuration stops the start and names what is missing.
import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../platform/config.ts';

const key = { STRIPE_SECRET_KEY: 'sk_test_1' };
const secret = { STRIPE_WEBHOOK_SECRET: 'whsec_1' };

describe('payments', () => {
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
    [
      { ...secret, STRIPE_SECRET_KEY: 'pk_test_1' },
      'STRIPE_SECRET_KEY: must begin with sk_ or rk_',
    ],
    [{ ...key, STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET: must begin with whsec_'],
    [
      { ...key, ...secret, NODE_ENV: 'production' },
      'PUBLIC_URL: is required when STRIPE_SECRET_KEY is set and NODE_ENV is production',
    ],
  ])('%j is refused', (environment, message) => {
    expect(() => loadConfig(environment)).toThrow(new ConfigError(message));
  });
});

const telnyx = {
  CARRIER: 'telnyx',
  TELNYX_API_KEY: 'KEY1',
  TELNYX_PUBLIC_KEY: Buffer.alloc(32, 1).toString('base64'),
  TELNYX_CONNECTION_ID: '17',
  PUBLIC_URL: 'https://api.ok-carrier.net',
  GATEWAY_PUBLIC_URL: 'wss://voice.ok-carrier.net',
};

describe('the carrier', () => {
  test('is the sandbox by default, over Twilio, or over Telnyx when asked', () => {
    expect(loadConfig({})).toMatchObject({ carrier: 'sandbox', carrierProtocol: 'twilio' });
    const config = loadConfig({ SANDBOX_PROTOCOL: 'telnyx', SANDBOX_PORT: '9000' });
    expect(config).toMatchObject({
      carrier: 'sandbox',
      carrierProtocol: 'telnyx',
      telnyx: { baseUrl: 'http://127.0.0.1:9000' },
    });
  });

  test('Telnyx speaks its own protocol, whatever the sandbox would speak', () => {
    const config = loadConfig({ ...telnyx, SANDBOX_PROTOCOL: 'twilio' });
    expect(config).toMatchObject({
      carrierProtocol: 'telnyx',
      telnyx: { apiKey: 'KEY1', connectionId: '17', baseUrl: 'https://api.telnyx.com' },
    });
  });

  test.each(Object.keys(telnyx).filter((name) => name !== 'CARRIER'))(
    'Telnyx without %s stops the start and names it',
    (name) => {
      expect(() => loadConfig({ ...telnyx, [name]: '' })).toThrow(
        new ConfigError(`${name}: is required when CARRIER is telnyx`),
      );
    },
  );

  test.each(['PEM', 'AAAA'])('the public key %s is none', (key) => {
    expect(() => loadConfig({ ...telnyx, TELNYX_PUBLIC_KEY: key })).toThrow(/TELNYX_PUBLIC_KEY/);
  });
});
