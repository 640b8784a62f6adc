// Calls to our numbers as Twilio tells of them, and the TwiML that they are answered with.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { inboundTwiml, parseInboundCall } from '../../adapters/carriers/twilio/inbound-calls.ts';
import { createTwilioCallbacks } from '../../adapters/carriers/twilio/twilio-callbacks.ts';

const params = { CallSid: 'CA1', From: '+12125550133', To: '+12125550199' };

describe('a call to us', () => {
  test('has both numbers', () => {
    expect(parseInboundCall(params)).toEqual({
      carrierCallId: 'CA1',
      calledNumber: '+12125550199',
      callerNumber: '+12125550133',
    });
  });

  test('may come from abroad', () => {
    expect(parseInboundCall({ ...params, From: '+442079460123' })).toMatchObject({
      callerNumber: '+442079460123',
    });
  });

  test.each([
    'anonymous',
    'Restricted',
    '+266696687',
    '+7378742833',
    '+86282452253',
    '+2562533',
    '+8656696',
    '',
    'client:web',
    'sip:someone@example.com',
    ['+12125550133', '+12125550134'],
  ])('from %j has no caller', (From) => {
    expect(parseInboundCall({ ...params, From })?.callerNumber).toBeNull();
  });

  test.each([
    { CallSid: '' },
    { CallSid: ['CA1', 'CA2'] },
    { To: '' },
    { To: 'sip:us@example.com' },
  ])('with %j is unreadable', (change) => {
    expect(parseInboundCall({ ...params, ...change })).toBeNull();
  });

  test('is read only when Twilio signed it', () => {
    const callbacks = createTwilioCallbacks({ authToken: 'token' });
    const url = 'https://api.ok-carrier.net/carriers/twilio/inbound';
    const text = 'CallSidCA1From+12125550133To+12125550199';
    const signature = createHmac('sha1', 'token')
      .update(url + text)
      .digest('base64');
    const request = { params, headers: { 'x-twilio-signature': signature }, body: '' };
    expect(callbacks.readInboundCall({ ...request, url }).kind).toBe('call');
    expect(callbacks.readInboundCall({ ...request, url: `${url}/` }).kind).toBe('forged');
  });
});

describe('the answer', () => {
  const xml = '<?xml version="1.0" encoding="UTF-8"?>';

  test.each([
    [
      { kind: 'connect', mediaUrl: 'wss://media.example.com/media/twilio/a.b' },
      '<Connect><Stream url="wss://media.example.com/media/twilio/a.b"/></Connect><Hangup/>',
    ],
    [{ kind: 'say', text: 'Back at 9 & open' }, '<Say>Back at 9 &amp; open</Say><Hangup/>'],
    [{ kind: 'busy' }, '<Reject reason="busy"/>'],
    [{ kind: 'not_in_service' }, '<Reject reason="rejected"/>'],
  ] as const)('%j', (answer, verbs) => {
    expect(inboundTwiml(answer)).toEqual({
      contentType: 'text/xml',
      body: `${xml}<Response>${verbs}</Response>`,
    });
  });
});
