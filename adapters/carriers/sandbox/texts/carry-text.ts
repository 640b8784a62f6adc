// The way of a text through the network, and when the customer is told of it.
import type { CallbackRequest } from '../callbacks.ts';
import type { Network } from '../network.ts';
import type { TextMessage, TextStatus } from '../text-message.ts';

const limits = { stepMs: 500 } as const;

export type TextOrder = Pick<TextMessage, 'to' | 'from' | 'body' | 'senderPool'>;

export function takeText(network: Network, sid: string, order: TextOrder): TextMessage {
  const createdAt = network.clock.now();
  const text: TextMessage = {
    ...order,
    sid,
    direction: 'outbound',
    createdAt,
    sentAt: null,
    updatedAt: createdAt,
    status: 'queued',
    errorCode: null,
  };
  network.texts.add(text);
  return text;
}

/** Sent, then delivered, unless a fault lets it end otherwise. `tell` says it in the protocol's words; null: not wanted. */
export async function carryText(
  network: Network,
  text: TextMessage,
  tell: () => CallbackRequest | null,
): Promise<void> {
  const fault = network.faults.textFault(text.to);
  const { send } = network.faults.callbackFault(text.to);
  const ways: Record<'undelivered' | 'failed' | 'delivered', readonly TextStatus[]> = {
    delivered: ['sent', 'delivered'],
    undelivered: ['sent', 'undelivered'],
    failed: ['failed'],
  };
  const held: CallbackRequest[] = [];
  for (const status of ways[fault?.endsAs ?? 'delivered']) {
    await network.clock.sleep(limits.stepMs / network.simulationSpeed, network.closing);
    text.status = status;
    text.errorCode = fault && status === fault.endsAs ? fault.errorCode : null;
    text.updatedAt = network.clock.now();
    text.sentAt ??= text.updatedAt;
    const request = tell();
    if (!request) continue;
    if (send === 'reversed') held.unshift(request);
    else void announce(network, text, request);
  }
  for (const late of held) await announce(network, text, late);
}

async function announce(network: Network, text: TextMessage, request: CallbackRequest) {
  const fault = network.faults.callbackFault(text.to);
  if (fault.send !== 'never') await network.callbacks.deliver(request, fault);
}
