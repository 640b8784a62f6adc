// The way of a text through the network, and what the customer is told of it.
import type { CallbackRequest } from '../callbacks.ts';
import type { Network } from '../network.ts';
import type { TextMessage, TextStatus } from '../text-message.ts';

const limits = { stepMs: 500 } as const;

/** Sent, then delivered, unless a fault lets it end otherwise. */
export async function carryText(network: Network, text: TextMessage): Promise<void> {
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
    const request = stateCallback(network, text);
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

function stateCallback(network: Network, text: TextMessage): CallbackRequest | null {
  if (!text.statusCallback) return null;
  const fields = {
    MessageSid: text.sid,
    SmsSid: text.sid,
    MessageStatus: text.status,
    SmsStatus: text.status,
    To: text.to,
    From: text.from,
    AccountSid: network.accountSid,
    ApiVersion: '2010-04-01',
    ...(text.errorCode !== null && { ErrorCode: `${text.errorCode}` }),
  };
  return { url: text.statusCallback, method: 'POST', fields };
}
