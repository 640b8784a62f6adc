// A Telnyx account as the owner of the numbers that people call and text.
import type { NumberOwner, NumberSettings } from '../number-owner.ts';
import { callTelnyxNumber } from './incoming-call.ts';
import { messageJson } from './message-json.ts';
import { newUuid } from './new-uuid.ts';
import { signedWebhook } from './send-webhook.ts';
import type { TelnyxNetwork } from './telnyx-network.ts';

export function createTelnyxOwner(
  network: TelnyxNetwork,
  { numberUrls, inboundTextUrl: url }: NumberSettings,
): NumberOwner {
  return {
    takeCall: numberUrls ? (call) => callTelnyxNumber(network, numberUrls.voiceUrl, call) : null,
    newSid: newUuid,
    tell(text, handledAs) {
      if (url === undefined) return null;
      const payload = { ...messageJson(text), autoresponse_type: handledAs ?? null };
      return signedWebhook(network, { url, type: 'message.received', payload });
    },
  };
}
