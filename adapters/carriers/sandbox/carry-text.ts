// The way of a text into the sandbox inbox.
import type { Network } from './network.ts';
import type { TextMessage } from './text-message.ts';

const limits = { stepMs: 500 } as const;

export type TextOrder = Pick<TextMessage, 'to' | 'from' | 'body' | 'senderPool'>;

export function takeText(network: Network, sid: string, order: TextOrder): TextMessage {
  const createdAt = network.clock.now();
  const text: TextMessage = {
    ...order,
    sid,
    createdAt,
    sentAt: null,
    updatedAt: createdAt,
    status: 'queued',
  };
  network.texts.add(text);
  return text;
}

/** Never rejects, as long as `announce` does not. */
export async function carryText(
  network: Network,
  text: TextMessage,
  announce: () => Promise<void>,
): Promise<void> {
  for (const status of ['sent', 'delivered'] as const) {
    await network.clock.sleep(limits.stepMs / network.simulationSpeed, network.closing);
    text.status = status;
    text.updatedAt = network.clock.now();
    text.sentAt ??= text.updatedAt;
    void announce();
  }
}
