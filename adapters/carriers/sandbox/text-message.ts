// A text in the sandbox inbox, and what it does to its own state.

export type TextStatus = 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'received';

export interface TextMessage {
  readonly sid: string;
  /** `inbound` came from a person. */
  readonly direction: 'outbound' | 'inbound';
  readonly to: string;
  readonly from: string;
  readonly body: string;
  /** Twilio's messaging service or Telnyx's messaging profile. */
  readonly senderPool: string | null;
  readonly createdAt: Date;
  sentAt: Date | null;
  updatedAt: Date;
  status: TextStatus;
  errorCode: number | null;
}
