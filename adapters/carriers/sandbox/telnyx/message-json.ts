// A text as Telnyx shows it, in its API and in its webhooks. Pure.
import type { TextMessage, TextStatus } from '../text-message.ts';

export function messageJson(text: TextMessage) {
  return {
    record_type: 'message',
    id: text.sid,
    direction: text.direction,
    type: 'SMS',
    messaging_profile_id: text.senderPool,
    from: { phone_number: text.from },
    to: [{ phone_number: text.to, status: statusWords[text.status] }],
    text: text.body,
    received_at: text.createdAt.toISOString(),
    sent_at: text.sentAt?.toISOString() ?? null,
    errors: text.errorCode === null ? [] : [{ code: `${text.errorCode}`, title: 'Ordered fault' }],
  };
}

const statusWords: Readonly<Record<TextStatus, string>> = {
  queued: 'queued',
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'delivery_failed',
  failed: 'sending_failed',
  received: 'delivered',
};
