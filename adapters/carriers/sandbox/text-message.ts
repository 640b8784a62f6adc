// A text in the sandbox inbox, and what it does to its own state.

export type TextStatus = 'queued' | 'sent' | 'delivered';

export interface TextMessage {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly body: string;
  /** Twilio's messaging service or Telnyx's messaging profile. */
  readonly senderPool: string | null;
  readonly createdAt: Date;
  sentAt: Date | null;
  updatedAt: Date;
  status: TextStatus;
}
