import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createTwilioCallbacks,
  parseCallStatus,
  parseMachineDetection,
  verifyTwilioSignature,
} from '../../adapters/carriers/twilio/twilio-callbacks.ts';

const authToken = 'token';
const url = 'https://api.ok-carrier.net/carriers/twilio/wsp_1/ord_1/att_1/call';
const params = { CallSid: 'CA1', CallStatus: 'ringing', To: '+12025550101' };

/** As Twilio documents it: the URL and the fields, sorted by name, each as name and value. */
function sign(signedUrl: string, fields: Readonly<Record<string, string | string[]>> = {}) {
  const text = Object.keys(fields)
    .toSorted()
    .flatMap((name) => [fields[name] ?? ''].flat().map((value) => name + value))
    .join('');
  return createHmac('sha1', authToken)
    .update(signedUrl + text)
    .digest('base64');
}

const signed = (signature: string) => ({ 'x-twilio-signature': signature });

const request = (fields: Readonly<Record<string, string>>, signature: string) => ({
  url,
  params: fields,
  headers: signed(signature),
  body: '',
});

describe('a signature', () => {
  test('over the URL and the form is good', () => {
    expect(verifyTwilioSignature({ authToken, url, params, signature: sign(url, params) })).toBe(
      true,
    );
  });

  test('is good for a known token, URL and form', () => {
    const signed = {
      authToken: '12345',
      url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
      params: {
        CallSid: 'CA1234567890ABCDE',
        Caller: '+14158675309',
        Digits: '1234',
        From: '+14158675309',
        To: '+18005551212',
      },
      signature: 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
    };
    expect(verifyTwilioSignature(signed)).toBe(true);
  });

  test.each([
    ['another token', sign(url, params), { authToken: 'other' }],
    ['another path', sign(url, params), { url: `${url}s` }],
    ['a changed field', sign(url, params), { params: { ...params, CallStatus: 'completed' } }],
    ['an added field', sign(url, params), { params: { ...params, Extra: '1' } }],
    ['no signature', undefined, {}],
    ['an empty signature', '', {}],
    ['a signature of another length', 'AAAA', {}],
    ['a URL that is none', sign(url, params), { url: '/call' }],
  ])('with %s is refused', (_, signature, changes) => {
    expect(verifyTwilioSignature({ authToken, url, params, signature, ...changes })).toBe(false);
  });

  test('over repeated fields counts each value once', () => {
    const signature = sign(url, { Event: ['a', 'b'] });
    const repeated = { Event: ['b', 'a', 'a'] };
    expect(verifyTwilioSignature({ authToken, url, params: repeated, signature })).toBe(true);
  });

  test.each(['https://api.ok-carrier.net:443/call?a=1', 'https://api.ok-carrier.net/call?a=1'])(
    'over %s is good for the URL without a port',
    (signedUrl) => {
      const given = 'https://api.ok-carrier.net/call?a=1';
      expect(verifyTwilioSignature({ authToken, url: given, signature: sign(signedUrl) })).toBe(
        true,
      );
    },
  );

  test('over a query that was encoded the older way is good', () => {
    const given = "https://api.ok-carrier.net/call?name=O'Neill";
    const signature = sign('https://api.ok-carrier.net/call?name=O%27Neill');
    expect(verifyTwilioSignature({ authToken, url: given, signature })).toBe(true);
  });

  test.each([
    'wss://voice.ok-carrier.net/media/t',
    'wss://voice.ok-carrier.net:443/media/t',
    'https://voice.ok-carrier.net/media/t',
    'https://voice.ok-carrier.net:443/media/t',
  ])('of an upgrade over %s is good', (signedUrl) => {
    const callbacks = createTwilioCallbacks({ authToken });
    const mediaUrl = 'wss://voice.ok-carrier.net/media/t';
    expect(callbacks.verifyUpgrade({ url: mediaUrl, headers: signed(sign(signedUrl)) })).toBe(true);
    expect(callbacks.verifyUpgrade({ url: `${mediaUrl}2`, headers: signed(sign(signedUrl)) })).toBe(
      false,
    );
    expect(callbacks.verifyUpgrade({ url: mediaUrl, headers: {} })).toBe(false);
  });

  test('of an upgrade on this machine is good with its port', () => {
    const mediaUrl = 'ws://127.0.0.1:8081/media/t';
    const signature = sign(mediaUrl);
    expect(verifyTwilioSignature({ authToken, url: mediaUrl, signature })).toBe(true);
  });

  test('of a JSON body holds only with the hash of that very body', () => {
    const rawBody = Buffer.from('{"a":1}');
    const hashed = `${url}?bodySHA256=${createHash('sha256').update(rawBody).digest('hex')}`;
    const signature = sign(hashed);
    expect(verifyTwilioSignature({ authToken, url: hashed, rawBody, signature })).toBe(true);
    const changed = Buffer.from('{"a":2}');
    expect(verifyTwilioSignature({ authToken, url: hashed, rawBody: changed, signature })).toBe(
      false,
    );
    expect(verifyTwilioSignature({ authToken, url, rawBody, signature: sign(url) })).toBe(false);
  });
});

describe('a call status', () => {
  test.each([
    ['initiated', 'queued'],
    ['queued', 'queued'],
    ['ringing', 'ringing'],
    ['in-progress', 'in_progress'],
    ['completed', 'completed'],
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ])('%s means %s', (status, state) => {
    expect(parseCallStatus({ CallSid: 'CA1', CallStatus: status })).toEqual({
      kind: 'call_state',
      eventId: `CA1:${state}`,
      carrierCallId: 'CA1',
      state,
      durationSeconds: null,
    });
  });

  test('carries the length of a finished call', () => {
    const event = parseCallStatus({ CallSid: 'CA1', CallStatus: 'completed', CallDuration: '61' });
    expect(event).toMatchObject({ state: 'completed', durationSeconds: 61 });
  });

  test('has the same event id however often it is told', () => {
    const first = parseCallStatus({ ...params, SequenceNumber: '1', Timestamp: 'a' });
    const again = parseCallStatus({ ...params, SequenceNumber: '1', Timestamp: 'b' });
    expect(first?.eventId).toBe(again?.eventId);
  });

  test.each([
    {},
    { CallSid: 'CA1' },
    { CallStatus: 'ringing' },
    { CallSid: 'CA1', CallStatus: 'x' },
  ])('with the fields %j cannot be read', (fields) => {
    expect(parseCallStatus(fields)).toBeNull();
  });
});

test.each([
  ['human', 'person'],
  ['machine_start', 'machine'],
  ['machine_end_beep', 'machine'],
  ['machine_end_silence', 'machine'],
  ['machine_end_other', 'machine'],
  ['fax', 'machine'],
  ['unknown', 'unknown'],
  ['something new', 'unknown'],
])('machine detection %s means %s', (verdict, answeredBy) => {
  expect(parseMachineDetection({ CallSid: 'CA1', AnsweredBy: verdict })).toEqual({
    kind: 'machine_detection',
    eventId: 'CA1:machine_detection',
    carrierCallId: 'CA1',
    answeredBy,
  });
});

test('machine detection without a verdict cannot be read', () => {
  expect(parseMachineDetection({ CallSid: 'CA1' })).toBeNull();
});

test('a callback is read only when its signature is good', () => {
  const callbacks = createTwilioCallbacks({ authToken });
  const signature = sign(url, params);
  expect(callbacks.readCall(request(params, signature))).toMatchObject({
    kind: 'event',
    event: { kind: 'call_state', state: 'ringing' },
  });
  expect(callbacks.readCall(request(params, 'forged'))).toEqual({ kind: 'forged' });
  const other = { CallSid: 'CA1' };
  expect(callbacks.readCall(request(other, sign(url, other)))).toEqual({
    kind: 'unreadable',
  });
  const verdict = { CallSid: 'CA1', AnsweredBy: 'human' };
  expect(callbacks.readMachineDetection(request(verdict, sign(url, verdict)))).toMatchObject({
    kind: 'event',
    event: { answeredBy: 'person' },
  });
});
