// A text in the sandbox inbox, and what it does to its own state.

export type TextStatus = 'queued' | 'sent' | 'delivered';

export interface TextMessage {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly messagingServiceSid: string | null;
  readonly body: string;
  readonly statusCallback: string | null;
  readonly createdAt: Date;
  sentAt: Date | null;
  updatedAt: Date;
  status: TextStatus;
}
