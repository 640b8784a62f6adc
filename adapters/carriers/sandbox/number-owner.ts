// Who has the numbers that people call and text: the customer, over the protocol that they chose for them.
import type { LiveCall } from './line/phone-call.ts';
import type { Person } from './people/person.ts';
import type { TextTaker } from './texts/text-back.ts';

/** What the customer set for all of their numbers. */
export interface NumberUrls {
  /** Asked what becomes of a call to the number; over Telnyx told of all that happens to it. */
  readonly voiceUrl: string;
  /** Told when a call to the number is over, over Twilio. */
  readonly statusUrl: string;
}

/** Without an address nobody can call, and texts only arrive. */
export interface NumberSettings {
  /** What is spoken at these addresses; Twilio's unless given. */
  readonly numberProtocol?: 'twilio' | 'telnyx';
  readonly numberUrls?: NumberUrls;
  /** Where texts that people send are posted. */
  readonly inboundTextUrl?: string;
}

export interface CallIn {
  readonly caller: Person;
  /** Number of the customer. */
  readonly to: string;
  /** Withholds the caller's number. */
  readonly anonymous: boolean;
}

export interface NumberOwner extends TextTaker {
  /** Null when no number of the customer can be called. */
  readonly takeCall: ((call: CallIn) => LiveCall) | null;
}
