import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../platform/config.ts';

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
