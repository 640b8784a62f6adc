// What the customer set for its numbers.

export interface NumberUrls {
  /** Asked for TwiML when the number is called. */
  readonly voiceUrl: string;
  /** Told when a call to the number is over. */
  readonly statusUrl: string;
}
