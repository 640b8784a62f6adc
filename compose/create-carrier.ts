// The carrier that the config names, or the sandbox in its place, over the protocol that it speaks.
import { createHmac } from 'node:crypto';
import { sandboxTelnyxAccount } from '../adapters/carriers/sandbox/telnyx/account.ts';
import { createTelnyxCallbacks } from '../adapters/carriers/telnyx/telnyx-callbacks.ts';
import { createTelnyxNumbers } from '../adapters/carriers/telnyx/telnyx-numbers.ts';
import { createTelnyxCarrier } from '../adapters/carriers/telnyx/telnyx-carrier.ts';
import { createTwilioCallbacks } from '../adapters/carriers/twilio/twilio-callbacks.ts';
import { createTwilioNumbers } from '../adapters/carriers/twilio/twilio-numbers.ts';
import { createTwilioCarrier } from '../adapters/carriers/twilio/twilio-carrier.ts';
import type { Context } from '../domain/context.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config, Secrets } from '../platform/config.ts';

export function createCarrier(
  config: Config,
  secrets: Secrets,
  clock: Clock,
): Pick<Context, 'carrier' | 'carrierCallbacks' | 'numbers'> {
  switch (config.carrierProtocol) {
    case 'twilio': {
      const account = twilioAccount(config, secrets);
      return {
        carrier: createTwilioCarrier(account),
        carrierCallbacks: createTwilioCallbacks(account),
        numbers: createTwilioNumbers(account),
      };
    }
    case 'telnyx': {
      const account = telnyxAccount(config, secrets);
      return {
        carrier: createTelnyxCarrier(account),
        carrierCallbacks: createTelnyxCallbacks({ ...account, now: () => clock.now() }),
        numbers: createTelnyxNumbers(account),
      };
    }
  }
}

/** The sandbox network shares a token that only this installation knows. */
export function sandboxAuthToken({ appSecret }: Secrets): string {
  return createHmac('sha256', appSecret).update('sandbox-auth-token').digest('hex');
}

function twilioAccount(config: Config, secrets: Secrets) {
  if (config.carrier === 'twilio') return config.twilio;
  return { ...config.twilio, authToken: sandboxAuthToken(secrets) };
}

function telnyxAccount(config: Config, secrets: Secrets) {
  if (config.carrier === 'telnyx') return config.telnyx;
  const { apiKey, publicKey, connectionId } = sandboxTelnyxAccount(sandboxAuthToken(secrets));
  return { ...config.telnyx, apiKey, publicKey, connectionId };
}
