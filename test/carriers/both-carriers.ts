// Both vendors' adapters, with the accounts that a sandbox of this secret knows.
import { sandboxTelnyxAccount } from '../../adapters/carriers/sandbox/telnyx/account.ts';
import { createTelnyxCallbacks } from '../../adapters/carriers/telnyx/telnyx-callbacks.ts';
import { createTelnyxCarrier } from '../../adapters/carriers/telnyx/telnyx-carrier.ts';
import { createTelnyxNumbers } from '../../adapters/carriers/telnyx/telnyx-numbers.ts';
import { createTwilioCallbacks } from '../../adapters/carriers/twilio/twilio-callbacks.ts';
import { createTwilioCarrier } from '../../adapters/carriers/twilio/twilio-carrier.ts';
import { createTwilioNumbers } from '../../adapters/carriers/twilio/twilio-numbers.ts';
import type { Carrier, CarrierCallbacks, Texts } from '../../domain/calls/carrier.ts';
import type { Numbers } from '../../domain/calls/numbers.ts';

export const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token' };
const telnyx = { ...sandboxTelnyxAccount(account.authToken), messagingProfileId: null };

export type Protocol = 'twilio' | 'telnyx';

export const carriers: Readonly<Record<Protocol, (baseUrl: string) => Carrier & Texts>> = {
  twilio: (baseUrl) => createTwilioCarrier({ ...account, baseUrl }),
  telnyx: (baseUrl) => createTelnyxCarrier({ ...telnyx, baseUrl }),
};

export const shops: Readonly<Record<Protocol, (baseUrl: string) => Numbers>> = {
  twilio: (baseUrl) => createTwilioNumbers({ ...account, baseUrl }),
  telnyx: (baseUrl) => createTelnyxNumbers({ ...telnyx, baseUrl }),
};

export const callbacks: Readonly<Record<Protocol, (baseUrl: string) => CarrierCallbacks>> = {
  twilio: () => createTwilioCallbacks(account),
  telnyx: (baseUrl) => createTelnyxCallbacks({ ...telnyx, baseUrl, now: () => new Date() }),
};
