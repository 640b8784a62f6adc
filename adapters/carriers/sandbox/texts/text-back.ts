// A person texts one of the customer's numbers: the network keeps it and posts it, signed, as its real model does.
import { z } from 'zod';
import type { Network } from '../network.ts';
import { newSid } from '../new-sid.ts';
import type { TextMessage } from '../text-message.ts';

const PhoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/);

export const TextBack = z.strictObject({
  /** The person's number. */
  from: PhoneNumber,
  /** The customer's. */
  to: PhoneNumber,
  body: z.string().max(1_600),
  /** The network takes the text for this keyword of its own and answers it itself, as with Advanced Opt-Out. */
  handled_as: z.enum(['STOP', 'START', 'HELP']).optional(),
});
export type TextBack = z.infer<typeof TextBack>;

const answers = {
  STOP: 'You have successfully been unsubscribed. You will not receive any more messages.',
  START: 'You have successfully been re-subscribed to messages from this number.',
  HELP: 'Reply STOP to unsubscribe. Msg&Data Rates May Apply.',
} as const;

/** Resolves once the customer took it or the network gave up; the status is what the customer answered. */
export async function textBack(network: Network, text: TextBack) {
  const received = keep(network, { ...text, direction: 'inbound' });
  const { handled_as: handledAs } = text;
  if (handledAs) {
    const pair = pairOf({ from: text.to, to: text.from });
    if (handledAs === 'STOP') network.stoppedPairs.add(pair);
    if (handledAs === 'START') network.stoppedPairs.delete(pair);
    const answer = { from: text.to, to: text.from, body: answers[handledAs] };
    keep(network, { ...answer, direction: 'outbound-api' });
  }
  const sid = received.sid;
  if (!network.inboundTextUrl) return { sid, status: null };
  const fields = {
    MessageSid: sid,
    SmsSid: sid,
    SmsMessageSid: sid,
    AccountSid: network.accountSid,
    From: text.from,
    To: text.to,
    Body: text.body,
    NumMedia: '0',
    NumSegments: '1',
    SmsStatus: 'received',
    ApiVersion: '2010-04-01',
    ...(handledAs && { OptOutType: handledAs }),
  };
  const fault = network.faults.callbackFault(text.from);
  const request = { url: network.inboundTextUrl, method: 'POST', fields } as const;
  const answer = fault.send === 'never' ? null : await network.callbacks.deliver(request, fault);
  return { sid, status: answer?.kind === 'answered' ? answer.status : null };
}

/** Names the way from a customer's number to a person's. */
export function pairOf({ from, to }: { from: string; to: string }): string {
  return `${from} ${to}`;
}

function keep(
  network: Network,
  text: Pick<TextMessage, 'from' | 'to' | 'body' | 'direction'>,
): TextMessage {
  const { from, to, body, direction } = text;
  const at = network.clock.now();
  const isInbound = direction === 'inbound';
  const kept: TextMessage = {
    sid: newSid('SM'),
    direction,
    from,
    to,
    body,
    messagingServiceSid: null,
    statusCallback: null,
    createdAt: at,
    sentAt: at,
    updatedAt: at,
    status: isInbound ? 'received' : 'delivered',
    errorCode: null,
  };
  network.texts.add(kept);
  return kept;
}
