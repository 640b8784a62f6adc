// A Twilio account as the owner of the numbers that people call and text.
import type { NumberOwner, NumberSettings } from '../number-owner.ts';
import { callTwilioNumber } from './incoming-call.ts';
import { newSid } from './new-sid.ts';
import { textReceivedRequest } from './text-requests.ts';
import type { TwilioNetwork } from './twilio-network.ts';

export function createTwilioOwner(
  network: TwilioNetwork,
  { numberUrls, inboundTextUrl }: NumberSettings,
): NumberOwner {
  return {
    takeCall: numberUrls ? (call) => callTwilioNumber(network, numberUrls, call) : null,
    newSid: () => newSid('SM'),
    tell: (text, optOutType) =>
      inboundTextUrl === undefined
        ? null
        : textReceivedRequest(network, text, { url: inboundTextUrl, optOutType }),
  };
}
