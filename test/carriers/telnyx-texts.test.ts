// Telnyx's words about texts, in ours.
import { describe, expect, test } from 'vitest';
import { readTextReceived, readTextState } from '../../adapters/carriers/telnyx/telnyx-texts.ts';

const event = (type: string, payload: object) =>
  JSON.stringify({ data: { event_type: type, id: 'evt-1', payload } });

const sent = { id: 'msg-1', to: [{ phone_number: '+12125550123', status: 'sent' }], errors: [] };
const received = {
  id: 'msg-2',
  from: { phone_number: '+12125550123', carrier: 'T-MOBILE', line_type: 'Wireless' },
  to: [{ phone_number: '+12125550199', status: 'delivered' }],
  text: 'Hello',
  autoresponse_type: null,
};

describe('how a text arrived', () => {
  test.each([
    ['queued', 'queued'],
    ['sending', 'queued'],
    ['sent', 'sent'],
    ['delivery_unconfirmed', 'sent'],
    ['delivered', 'delivered'],
    ['delivery_failed', 'undelivered'],
    ['sending_failed', 'failed'],
    ['expired', 'failed'],
  ])('%s is %s', (status, state) => {
    const body = event('message.finalized', { ...sent, to: [{ ...sent.to[0], status }] });
    expect(readTextState(body)).toEqual({
      kind: 'event',
      event: {
        kind: 'text_state',
        carrierTextId: 'msg-1',
        state,
        errorCode: null,
        optedOut: false,
      },
    });
  });

  test.each([
    ['40300', true],
    ['40001', false],
  ])('an error %s, an opt-out: %s', (code, optedOut) => {
    const body = event('message.finalized', { ...sent, errors: [{ code, title: 'No' }] });
    expect(readTextState(body)).toMatchObject({ event: { errorCode: code, optedOut } });
  });

  test.each([
    ['an event of another kind', event('message.received', received), 'ignored'],
    ['a state nobody knows', event('message.sent', { ...sent, to: [{ status: '?' }] }), 'ignored'],
    ['one without an id', event('message.sent', { ...sent, id: '' }), 'unreadable'],
    ['one to nobody', event('message.sent', { ...sent, to: [] }), 'unreadable'],
    ['no event', '{}', 'unreadable'],
    ['no JSON', 'id=1', 'unreadable'],
  ])('%s is %s', (_what, body, kind) => {
    expect(readTextState(body)).toEqual({ kind });
  });
});

describe('what a person wrote', () => {
  test.each([
    ['STOP', 'stop'],
    ['START', 'start'],
    ['HELP', 'help'],
    ['help', 'help'],
    [null, null],
    ['?', null],
  ])('answered by Telnyx as %s is %s', (answered, handledAs) => {
    const body = event('message.received', { ...received, autoresponse_type: answered });
    expect(readTextReceived(body)).toEqual({
      kind: 'event',
      event: {
        kind: 'text_received',
        carrierTextId: 'msg-2',
        from: '+12125550123',
        to: '+12125550199',
        body: 'Hello',
        handledAs,
      },
    });
  });

  test('a picture is a text without words', () => {
    const body = event('message.received', { ...received, text: null });
    expect(readTextReceived(body)).toMatchObject({ event: { body: '' } });
  });

  test.each([
    ['about one of ours', event('message.sent', sent), 'ignored'],
    [
      'from a short code',
      event('message.received', { ...received, from: { phone_number: '22395' } }),
      'unreadable',
    ],
    ['that is no event', '[]', 'unreadable'],
  ])('one %s is %s', (_what, body, kind) => {
    expect(readTextReceived(body)).toEqual({ kind });
  });
});
