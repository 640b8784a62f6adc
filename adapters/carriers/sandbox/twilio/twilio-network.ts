// The network as one Twilio account sees it.
import type { Network } from '../network.ts';

export interface TwilioNetwork extends Network {
  readonly accountSid: string;
  readonly authToken: string;
}
