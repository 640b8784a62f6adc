// Twilio's words about texts, in ours: how one arrived, and what a person wrote. Pure.
import type { TextReceivedEvent, TextStateEvent } from '../../../domain/calls/carrier.ts';
import { textOf, type FormParams } from './form-params.ts';

const states: ReadonlyMap<string, TextStateEvent['state']> = new Map([
  ['accepted', 'queued'],
  ['scheduled', 'queued'],
  ['queued', 'queued'],
  ['sending', 'queued'],
  ['sent', 'sent'],
  ['delivered', 'delivered'],
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'failed'],
  ['canceled', 'failed'],
]);

const handled: ReadonlyMap<string, TextReceivedEvent['handledAs']> = new Map([
  ['STOP', 'stop'],
  ['START', 'start'],
  ['HELP', 'help'],
]);

/** "Attempt to send to unsubscribed recipient": the person replied STOP to Twilio. */
export const optedOutCode = '21610';

const e164 = /^\+[1-9]\d{6,14}$/;

/** Null when a field is missing or the state is none that we know. */
export function parseTextState(params: FormParams): TextStateEvent | null {
  const carrierTextId = textOf(params['MessageSid']) || textOf(params['SmsSid']);
  const state = states.get(textOf(params['MessageStatus']) || textOf(params['SmsStatus']));
  if (!carrierTextId || !state) return null;
  const errorCode = textOf(params['ErrorCode']) || null;
  return {
    kind: 'text_state',
    carrierTextId,
    state,
    errorCode,
    optedOut: errorCode === optedOutCode,
  };
}

/** A text without words is a picture: it is kept as an empty one. Null when it is not from a number to a number. */
export function parseTextReceived(params: FormParams): TextReceivedEvent | null {
  const carrierTextId = textOf(params['MessageSid']) || textOf(params['SmsSid']);
  const from = textOf(params['From']);
  const to = textOf(params['To']);
  if (!carrierTextId || !e164.test(from) || !e164.test(to)) return null;
  const handledAs = handled.get(textOf(params['OptOutType']).toUpperCase()) ?? null;
  return {
    kind: 'text_received',
    carrierTextId,
    from,
    to,
    body: textOf(params['Body']),
    handledAs,
  };
}
