// Twilio's words about texts: what each state and field means to us.
import { expect, test } from 'vitest';
import { parseTextReceived, parseTextState } from '../../adapters/carriers/twilio/twilio-texts.ts';

test.each([
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
])('the state %s means %s', (status, state) => {
  expect(parseTextState({ MessageSid: 'SM1', MessageStatus: status })).toEqual({
    kind: 'text_state',
    carrierTextId: 'SM1',
    state,
    errorCode: null,
    optedOut: false,
  });
});

test.each([
  ['30003', false],
  ['30007', false],
  ['21610', true],
])('the code %s is kept; that the person opted out: %s', (code, optedOut) => {
  const params = { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: code };
  expect(parseTextState(params)).toMatchObject({ errorCode: code, optedOut });
});

test.each([{}, { MessageSid: 'SM1' }, { MessageSid: 'SM1', MessageStatus: 'received' }])(
  'a state callback with the fields %j cannot be read',
  (params) => {
    expect(parseTextState(params)).toBeNull();
  },
);

const received = { MessageSid: 'SM1', From: '+12125550101', To: '+12125550199', Body: 'Stop' };

test('a text of a person is read with its numbers and words', () => {
  expect(parseTextReceived(received)).toEqual({
    kind: 'text_received',
    carrierTextId: 'SM1',
    from: '+12125550101',
    to: '+12125550199',
    body: 'Stop',
    handledAs: null,
  });
});

test.each([
  ['STOP', 'stop'],
  ['START', 'start'],
  ['HELP', 'help'],
  ['SOMETHING', null],
])('OptOutType %s: Twilio has answered it as %s', (type, handledAs) => {
  expect(parseTextReceived({ ...received, OptOutType: type })).toMatchObject({ handledAs });
});

test('a picture without words is a text without words', () => {
  const picture = { MessageSid: 'SM1', From: received.From, To: received.To };
  expect(parseTextReceived(picture)).toMatchObject({ body: '' });
});

test.each([
  { ...received, MessageSid: '' },
  { ...received, From: 'whatsapp:+12125550101' },
  { ...received, From: '266696687' },
  { ...received, To: '' },
])('a text with the fields %j cannot be read', (params) => {
  expect(parseTextReceived(params)).toBeNull();
});
