// A person texts one of the customer's numbers: the network keeps it and posts it, signed, as its real model does.
import { z } from 'zod';
import type { CallbackRequest } from '../callbacks.ts';
import type { Network } from '../network.ts';
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

/** How the protocol of whoever has the number tells of a text that came in. */
export interface TextTaker {
  newSid(): string;
  /** Null when no address is set: the text only arrives. */
  tell(text: TextMessage, handledAs: TextBack['handled_as']): CallbackRequest | null;
}

/** Resolves once the customer took it or the network gave up; the status is what the customer answered. */
export async function textBack(network: Network, taker: TextTaker, text: TextBack) {
  const { from, to, body, handled_as: handledAs } = text;
  const received = keep(network, { sid: taker.newSid(), from, to, body, direction: 'inbound' });
  if (handledAs) {
    const pair = pairOf({ from: to, to: from });
    if (handledAs === 'STOP') network.stoppedPairs.add(pair);
    if (handledAs === 'START') network.stoppedPairs.delete(pair);
    const answer = { sid: taker.newSid(), from: to, to: from, body: answers[handledAs] };
    keep(network, { ...answer, direction: 'outbound' });
  }
  const { sid } = received;
  const request = taker.tell(received, handledAs);
  if (!request) return { sid, status: null };
  const fault = network.faults.callbackFault(from);
  const answer = fault.send === 'never' ? null : await network.callbacks.deliver(request, fault);
  return { sid, status: answer?.kind === 'answered' ? answer.status : null };
}

/** Names the way from a customer's number to a person's. */
export function pairOf({ from, to }: { from: string; to: string }): string {
  return `${from} ${to}`;
}

function keep(
  network: Network,
  text: Pick<TextMessage, 'sid' | 'from' | 'to' | 'body' | 'direction'>,
): TextMessage {
  const at = network.clock.now();
  const kept: TextMessage = {
    ...text,
    senderPool: null,
    createdAt: at,
    sentAt: at,
    updatedAt: at,
    status: text.direction === 'inbound' ? 'received' : 'delivered',
    errorCode: null,
  };
  network.texts.add(kept);
  return kept;
}
