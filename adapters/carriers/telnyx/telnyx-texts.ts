// Telnyx's words about texts, in ours: how one arrived, and what a person wrote. Pure.
import { z } from 'zod';
import type {
  CallbackReading,
  TextReceivedEvent,
  TextStateEvent,
} from '../../../domain/calls/carrier.ts';
import { parseEvent } from './telnyx-event.ts';

/** Nobody knows whether an unconfirmed text arrived: it is as sent. */
const states: ReadonlyMap<string, TextStateEvent['state']> = new Map([
  ['queued', 'queued'],
  ['sending', 'queued'],
  ['sent', 'sent'],
  ['delivery_unconfirmed', 'sent'],
  ['delivered', 'delivered'],
  ['delivery_failed', 'undelivered'],
  ['sending_failed', 'failed'],
  ['expired', 'failed'],
]);

const handled: ReadonlyMap<string, TextReceivedEvent['handledAs']> = new Map([
  ['STOP', 'stop'],
  ['START', 'start'],
  ['HELP', 'help'],
]);

/** "Blocked due to STOP message": the person replied STOP to Telnyx. */
export const optedOutCode = '40300';

const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/);

const SentText = z.object({
  id: z.string().min(1),
  to: z.tuple([z.object({ status: z.string() })], z.unknown()),
  errors: z.array(z.object({ code: z.coerce.string() })).nullish(),
});

const ReceivedText = z.object({
  id: z.string().min(1),
  from: z.object({ phone_number: e164 }),
  to: z.tuple([z.object({ phone_number: e164 })], z.unknown()),
  text: z.string().nullish(),
  autoresponse_type: z.string().nullish(),
});

/** A state that we do not know says nothing. */
export function readTextState(body: string): CallbackReading<TextStateEvent> {
  const event = parseEvent(body);
  if (!event) return { kind: 'unreadable' };
  if (event.type !== 'message.sent' && event.type !== 'message.finalized')
    return { kind: 'ignored' };
  const text = SentText.safeParse(event.payload);
  if (!text.success) return { kind: 'unreadable' };
  const { id: carrierTextId, to, errors } = text.data;
  const state = states.get(to[0].status);
  if (!state) return { kind: 'ignored' };
  const errorCode = errors?.[0]?.code ?? null;
  const optedOut = errorCode === optedOutCode;
  return {
    kind: 'event',
    event: { kind: 'text_state', carrierTextId, state, errorCode, optedOut },
  };
}

/** A text without words is a picture: it is kept as an empty one. */
export function readTextReceived(body: string): CallbackReading<TextReceivedEvent> {
  const event = parseEvent(body);
  if (!event) return { kind: 'unreadable' };
  if (event.type !== 'message.received') return { kind: 'ignored' };
  const text = ReceivedText.safeParse(event.payload);
  if (!text.success) return { kind: 'unreadable' };
  const { id: carrierTextId, from, to, text: words, autoresponse_type: answered } = text.data;
  return {
    kind: 'event',
    event: {
      kind: 'text_received',
      carrierTextId,
      from: from.phone_number,
      to: to[0].phone_number,
      body: words ?? '',
      handledAs: handled.get((answered ?? '').toUpperCase()) ?? null,
    },
  };
}
