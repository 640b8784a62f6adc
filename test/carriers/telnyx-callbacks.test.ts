import { sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sandboxTelnyxAccount } from '../../adapters/carriers/sandbox/telnyx/account.ts';
import { signedStreamUrl, streamAuthToken } from '../../adapters/carriers/telnyx/stream-auth.ts';
import {
  createTelnyxCallbacks,
  readTelnyxEvent,
} from '../../adapters/carriers/telnyx/telnyx-callbacks.ts';

const account = sandboxTelnyxAccount('secret');
const now = new Date('2026-11-21T12:00:00Z');
const baseUrl = 'http://127.0.0.1:1';
const nowSeconds = now.getTime() / 1_000;
const callbacks = createTelnyxCallbacks({ ...account, baseUrl, now: () => now });

const event = (type: string, payload: object = {}) =>
  JSON.stringify({
    data: {
      event_type: type,
      id: 'evt-1',
      occurred_at: now.toISOString(),
      payload: { call_control_id: 'v3:1', ...payload },
      record_type: 'event',
    },
    meta: { attempt: 1 },
  });

const answered = event('call.answered');

function request(body: string, { at = nowSeconds, key = account.signingKey, headers = {} } = {}) {
  const signature = sign(null, Buffer.from(`${at}|${body}`), key).toString('base64');
  return {
    url: 'https://api.ok-carrier.net/carriers/telnyx/wsp_1/ord_1/att_1/call',
    params: {},
    body,
    headers: {
      'telnyx-signature-ed25519': signature,
      'telnyx-timestamp': `${at}`,
      ...headers,
    },
  };
}

describe('a signature', () => {
  test.each([0, 299, -299])('made %i seconds ago is good', (age) => {
    const reading = callbacks.readCall(request(answered, { at: nowSeconds - age }));
    expect(reading).toMatchObject({ kind: 'event', event: { state: 'in_progress' } });
  });

  test.each([
    ['too old', request(answered, { at: nowSeconds - 301 })],
    ['too new', request(answered, { at: nowSeconds + 301 })],
    ['of another key', request(answered, { key: sandboxTelnyxAccount('other').signingKey })],
    ['of another body', { ...request(answered), body: event('call.hangup') }],
    [
      'of another time',
      request(answered, { headers: { 'telnyx-timestamp': `${nowSeconds - 1}` } }),
    ],
    ['without a time', request(answered, { headers: { 'telnyx-timestamp': undefined } })],
    ['with a time that is none', request(answered, { headers: { 'telnyx-timestamp': 'now' } })],
    ['missing', request(answered, { headers: { 'telnyx-signature-ed25519': undefined } })],
    ['too short', request(answered, { headers: { 'telnyx-signature-ed25519': 'AAAA' } })],
  ])('%s is forged', (_, forged) => {
    expect(callbacks.readCall(forged)).toEqual({ kind: 'forged' });
    expect(callbacks.readMachineDetection(forged)).toEqual({ kind: 'forged' });
  });

  test('by a key that is none stops the start', () => {
    const wrong = { ...account, baseUrl, publicKey: 'AAAA', now: () => now };
    expect(() => createTelnyxCallbacks(wrong)).toThrow(RangeError);
  });
});

describe('a media upgrade', () => {
  const url = 'wss://voice.ok-carrier.net/media/telnyx/token';
  const headers = { 'x-telnyx-streaming-auth-token': streamAuthToken(account.apiKey, url) };

  test('with the token of its dial is let in, at that address only', () => {
    expect(callbacks.verifyUpgrade({ url, headers })).toBe(true);
    expect(callbacks.verifyUpgrade({ url: `${url}2`, headers })).toBe(false);
  });

  test('without it, or with that of another account, is refused', () => {
    expect(callbacks.verifyUpgrade({ url, headers: {} })).toBe(false);
    const other = { 'x-telnyx-streaming-auth-token': streamAuthToken('another', url) };
    expect(callbacks.verifyUpgrade({ url, headers: other })).toBe(false);
  });
});

describe('a media upgrade of a call that came in', () => {
  const url = signedStreamUrl(account.apiKey, 'wss://voice.ok-carrier.net/media/telnyx/token');

  test('with the token in its address is let in, at that address only', () => {
    expect(callbacks.verifyUpgrade({ url, headers: {} })).toBe(true);
    expect(callbacks.verifyUpgrade({ url: url.replace('token?', 'other?'), headers: {} })).toBe(
      false,
    );
  });

  test('with that of another account is refused', () => {
    const other = signedStreamUrl('another', 'wss://voice.ok-carrier.net/media/telnyx/token');
    expect(callbacks.verifyUpgrade({ url: other, headers: {} })).toBe(false);
  });
});

describe('a call that comes in', () => {
  const offer = { direction: 'incoming', from: '+12125550133', to: '+12125550199' };

  test('is read with both numbers', () => {
    expect(callbacks.readInboundCall(request(event('call.initiated', offer)))).toEqual({
      kind: 'call',
      call: {
        carrierCallId: 'v3:1',
        calledNumber: '+12125550199',
        callerNumber: '+12125550133',
      },
    });
  });

  test.each(['anonymous', '', 'sip:somebody@example.com', '+266'])('from %j is nobody', (from) => {
    const reading = callbacks.readInboundCall(request(event('call.initiated', { ...offer, from })));
    expect(reading).toMatchObject({ kind: 'call', call: { callerNumber: null } });
  });

  test.each([
    ['of ours', { ...offer, direction: 'outgoing' }, 'ignored'],
    ['to no number', { ...offer, to: 'sip:us@example.com' }, 'unreadable'],
  ])('one %s is %s', (_what, payload, kind) => {
    expect(callbacks.readInboundCall(request(event('call.initiated', payload)))).toEqual({ kind });
  });

  test('is told of at the same address, and only when signed', () => {
    const body = event('call.hangup', { hangup_cause: 'normal_clearing' });
    expect(callbacks.readInboundCall(request(body))).toMatchObject({
      kind: 'event',
      event: { state: 'completed' },
    });
    const { headers, ...bare } = request(body);
    expect(headers).not.toEqual({});
    expect(callbacks.readInboundCall({ ...bare, headers: {} })).toEqual({ kind: 'forged' });
  });

  test('rejects when nobody knows whether the command was taken, so that it is told again', async () => {
    const call = { carrierCallId: 'v3:1', calledNumber: '+12125550199', callerNumber: null };
    const answering = callbacks.answerInboundCall(call, { kind: 'busy' });
    await expect(answering).rejects.toThrow('Telnyx did not take the command');
  });
});

describe('an event', () => {
  test.each([
    ['call.initiated', {}, 'ringing'],
    ['call.answered', {}, 'in_progress'],
    ['call.hangup', { hangup_cause: 'normal_clearing' }, 'completed'],
    ['call.hangup', { hangup_cause: 'time_limit' }, 'completed'],
    ['call.hangup', { hangup_cause: 'user_busy' }, 'busy'],
    ['call.hangup', { hangup_cause: 'timeout' }, 'no_answer'],
    ['call.hangup', { hangup_cause: 'no_answer' }, 'no_answer'],
    ['call.hangup', { hangup_cause: 'originator_cancel' }, 'canceled'],
    ['call.hangup', { hangup_cause: 'call_rejected' }, 'canceled'],
    ['call.hangup', { hangup_cause: 'not_found' }, 'failed'],
    ['call.hangup', { hangup_cause: 'unspecified', sip_hangup_cause: '486' }, 'busy'],
    ['call.hangup', { hangup_cause: 'unspecified', sip_hangup_cause: '404' }, 'failed'],
    // A fault of the network must never take a number out of service.
    ['call.hangup', { hangup_cause: 'unspecified', sip_hangup_cause: '503' }, 'no_answer'],
    ['call.hangup', {}, 'no_answer'],
  ])('%s with %j means %s', (type, payload, state) => {
    expect(readTelnyxEvent(event(type, payload))).toEqual({
      kind: 'event',
      event: {
        kind: 'call_state',
        eventId: 'evt-1',
        carrierCallId: 'v3:1',
        state,
        durationSeconds: null,
      },
    });
  });

  test.each([
    ['call.machine.detection.ended', 'human', 'person'],
    ['call.machine.detection.ended', 'machine', 'machine'],
    ['call.machine.detection.ended', 'not_sure', 'unknown'],
    ['call.machine.premium.detection.ended', 'human_residence', 'person'],
    ['call.machine.premium.detection.ended', 'human_business', 'person'],
    ['call.machine.premium.detection.ended', 'machine', 'machine'],
    ['call.machine.premium.detection.ended', 'fax_detected', 'machine'],
    ['call.machine.premium.detection.ended', 'silence', 'unknown'],
    ['call.machine.premium.greeting.ended', 'beep_detected', 'machine'],
  ])('%s with %s means %s', (type, result, answeredBy) => {
    expect(readTelnyxEvent(event(type, { result }))).toMatchObject({
      kind: 'event',
      event: { kind: 'machine_detection', answeredBy },
    });
  });

  test.each(['streaming.failed', 'streaming.stopped'])('%s means that nobody can talk', (type) => {
    expect(readTelnyxEvent(event(type))).toMatchObject({ event: { kind: 'media_ended' } });
  });

  test.each([
    event('call.machine.premium.greeting.ended', { result: 'no_beep_detected' }),
    event('streaming.started'),
    event('call.cost'),
    event('message.finalized'),
  ])('of no interest is ignored: %s', (body) => {
    expect(readTelnyxEvent(body)).toEqual({ kind: 'ignored' });
  });

  test.each(['', '[]', 'null', '{}', event('call.answered', { call_control_id: '' })])(
    'that is none cannot be read: %s',
    (body) => {
      expect(readTelnyxEvent(body)).toEqual({ kind: 'unreadable' });
    },
  );
});
