import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTwilioCarrier } from '../../adapters/carriers/twilio/twilio-carrier.ts';
import { callResource, refuse, reply, startTwilioRest } from './twilio-rest.ts';
import type { TwilioRest } from './twilio-rest.ts';

const accountSid = `AC${'0'.repeat(32)}`;
const sid = `CA${'1'.repeat(32)}`;
let rest: TwilioRest;
beforeEach(async () => {
  rest = await startTwilioRest();
});
afterEach(() => rest.close());

function carrier(requestTimeoutMs = 2_000) {
  const account = { accountSid, authToken: 'token', baseUrl: rest.url };
  return createTwilioCarrier({ ...account, requestTimeoutMs });
}

const callRequest = {
  attemptId: 'att_1',
  workspaceId: 'wsp_1',
  to: '+12025550101',
  from: '+12025550102',
  ringTimeoutSeconds: 25,
  timeLimitSeconds: 660,
  mediaUrl: 'wss://voice.ok-carrier.net/media/token-1',
  statusCallbackUrl: 'https://api.ok-carrier.net/carriers/twilio/wsp_1/ord_1/att_1/call',
  machineDetectionCallbackUrl:
    'https://api.ok-carrier.net/carriers/twilio/wsp_1/ord_1/att_1/machine',
};

const textRequest = {
  textId: 'txt_1',
  to: '+12025550101',
  from: '+12025550102',
  body: 'We tried to reach you.',
  statusCallbackUrl: 'https://api.ok-carrier.net/carriers/twilio/wsp_1/texts/txt_1',
};

const dropped = (response: { destroy(): unknown }) => void response.destroy();

describe('placing a call', () => {
  test('asks once, with our account, for a call that streams to our socket and then hangs up', async () => {
    rest.answerWith((response) => reply(response, 201, callResource()));
    expect(await carrier().placeCall(callRequest)).toEqual({ kind: 'placed', carrierCallId: sid });
    expect(rest.seen).toHaveLength(1);
    const [request] = rest.seen;
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe(`/2010-04-01/Accounts/${accountSid}/Calls.json`);
    expect(request?.authorization).toBe(
      `Basic ${Buffer.from(`${accountSid}:token`).toString('base64')}`,
    );
    const form = new URLSearchParams(request?.form);
    expect(form.getAll('StatusCallbackEvent')).toEqual([
      'initiated',
      'ringing',
      'answered',
      'completed',
    ]);
    form.delete('StatusCallbackEvent');
    expect(Object.fromEntries(form)).toEqual({
      To: callRequest.to,
      From: callRequest.from,
      Timeout: '25',
      TimeLimit: '660',
      StatusCallback: callRequest.statusCallbackUrl,
      StatusCallbackMethod: 'POST',
      MachineDetection: 'Enable',
      AsyncAmd: 'true',
      AsyncAmdStatusCallback: callRequest.machineDetectionCallbackUrl,
      AsyncAmdStatusCallbackMethod: 'POST',
      Twiml:
        '<?xml version="1.0" encoding="UTF-8"?><Response><Connect>' +
        `<Stream url="${callRequest.mediaUrl}"/></Connect><Hangup/></Response>`,
    });
  });

  test.each([
    [400, 21_211, 'invalid_number'],
    [400, 21_214, 'invalid_number'],
    [400, 21_217, 'invalid_number'],
    [400, 21_401, 'invalid_number'],
    [400, 21_610, 'do_not_contact'],
    [429, 20_429, 'too_many_requests'],
    [401, 20_003, 'carrier_fault'],
    [400, 21_215, 'carrier_fault'],
    [400, 21_210, 'carrier_fault'],
    [403, 20_005, 'carrier_fault'],
  ])('refused with %i and code %i is %s', async (status, code, why) => {
    rest.answerWith((response) => refuse(response, status, code));
    const result = await carrier().placeCall(callRequest);
    expect(result).toEqual({ kind: 'refused', why, code: String(code) });
    expect(rest.seen).toHaveLength(1);
  });

  test('refused by a proxy without a code is a definite no all the same', async () => {
    rest.answerWith((response) => response.writeHead(429).end('slow down'));
    expect(await carrier().placeCall(callRequest)).toEqual({
      kind: 'refused',
      why: 'too_many_requests',
      code: 'HTTP 429',
    });
  });

  test('refused in the newer error shape is read too', async () => {
    const problem = { type: 'about:blank', title: 'Invalid number', status: 400, code: 21_211 };
    rest.answerWith((response) => reply(response, 400, problem));
    const result = await carrier().placeCall(callRequest);
    expect(result).toEqual({ kind: 'refused', why: 'invalid_number', code: '21211' });
  });

  test.each([500, 502, 503])('answered with %i is unknown and not repeated', async (status) => {
    rest.answerWith((response) => refuse(response, status, 20_500));
    const result = await carrier().placeCall(callRequest);
    expect(result).toEqual({ kind: 'unknown', detail: `HTTP ${status}` });
    expect(rest.seen).toHaveLength(1);
  });

  test('whose connection is reset after the request is unknown and not repeated', async () => {
    rest.answerWith(dropped);
    const result = await carrier().placeCall(callRequest);
    expect(result).toEqual({ kind: 'unknown', detail: 'ECONNRESET' });
    expect(rest.seen).toHaveLength(1);
  });

  test('that is never answered is unknown after the time limit', async () => {
    rest.answerWith(() => undefined);
    const result = await carrier(200).placeCall(callRequest);
    expect(result.kind).toBe('unknown');
    expect(rest.seen).toHaveLength(1);
  });

  test('whose answer drips in is unknown after the time limit', async () => {
    rest.answerWith((response) => {
      response.writeHead(201, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    expect(await carrier(300).placeCall(callRequest)).toEqual({
      kind: 'unknown',
      detail: 'ETIMEDOUT',
    });
  });

  test.each(['not json', '{}', '[]', 'null'])('answered with %j is unknown', async (body) => {
    rest.answerWith((response) => response.writeHead(201).end(body));
    expect(await carrier().placeCall(callRequest)).toMatchObject({ kind: 'unknown' });
  });

  test('that cannot even be sent surely never rang', async () => {
    rest.close();
    expect(await carrier().placeCall(callRequest)).toEqual({
      kind: 'refused',
      why: 'carrier_fault',
      code: 'ECONNREFUSED',
    });
  });

  test('carries no phone number and no token in what callers may log', async () => {
    rest.answerWith((response) => refuse(response, 400, 21_211));
    const refused = await carrier().placeCall(callRequest);
    rest.answerWith(dropped);
    const unknown = await carrier().placeCall(callRequest);
    expect(JSON.stringify([refused, unknown])).not.toMatch(/2025550101|2025550102|token-1|Basic/);
  });
});

describe('looking a call up', () => {
  const query = {
    attemptId: 'att_1',
    carrierCallId: null,
    to: '+12025550101',
    from: '+12025550102',
    placedAfter: new Date('2026-11-21T12:00:00.400Z'),
  };

  test.each([
    ['queued', 'queued'],
    ['ringing', 'ringing'],
    ['in-progress', 'in_progress'],
    ['completed', 'completed'],
    ['busy', 'busy'],
    ['no-answer', 'no_answer'],
    ['failed', 'failed'],
    ['canceled', 'canceled'],
  ])('by its sid tells that it is %s', async (status, state) => {
    rest.answerWith((response) => reply(response, 200, callResource({ status, duration: '61' })));
    expect(await carrier().findCall({ ...query, carrierCallId: sid })).toEqual({
      kind: 'found',
      carrierCallId: sid,
      state,
      durationSeconds: 61,
    });
    expect(rest.seen[0]?.path).toBe(`/2010-04-01/Accounts/${accountSid}/Calls/${sid}.json`);
  });

  test('by a sid that does not exist finds none', async () => {
    rest.answerWith((response) => refuse(response, 404, 20_404));
    expect(await carrier().findCall({ ...query, carrierCallId: sid })).toEqual({ kind: 'none' });
  });

  test('by numbers finds the first call made after ours was placed', async () => {
    const call = (index: number, time: string) =>
      callResource({ sid: `CA${index}`, date_created: `Sat, 21 Nov 2026 ${time} +0000` });
    const calls = [call(4, '13:00:00'), call(3, '12:00:00'), call(2, '11:30:00')];
    rest.answerWith((response) => reply(response, 200, { calls, page: 0, page_size: 50 }));
    expect(await carrier().findCall(query)).toEqual({
      kind: 'found',
      carrierCallId: 'CA3',
      state: 'queued',
      durationSeconds: null,
    });
    const [request] = rest.seen;
    expect(request?.query.get('To')).toBe(query.to);
    expect(request?.query.get('From')).toBe(query.from);
  });

  test('by numbers finds none when no call was made since', async () => {
    const calls = [callResource({ date_created: 'Sat, 21 Nov 2026 11:30:00 +0000' })];
    rest.answerWith((response) => reply(response, 200, { calls, page: 0, page_size: 50 }));
    expect(await carrier().findCall(query)).toEqual({ kind: 'none' });
  });

  test.each([
    ['answers 500', (response: Parameters<typeof refuse>[0]) => refuse(response, 500, 20_500)],
    ['refuses the key', (response: Parameters<typeof refuse>[0]) => refuse(response, 401, 20_003)],
    ['resets the connection', dropped],
  ])('is unreachable, not none, when the carrier %s', async (_, answer) => {
    rest.answerWith(answer);
    expect(await carrier().findCall(query)).toMatchObject({ kind: 'unreachable' });
    const bySid = { ...query, carrierCallId: sid };
    expect(await carrier().findCall(bySid)).toMatchObject({ kind: 'unreachable' });
  });
});

describe('ending a call', () => {
  test('asks the carrier to complete it', async () => {
    rest.answerWith((response) => reply(response, 200, callResource({ status: 'completed' })));
    expect(await carrier().endCall(sid)).toBe('ended');
    expect(rest.seen[0]?.form.get('Status')).toBe('completed');
  });

  test.each([
    [404, 20_404, 'already_ended'],
    [400, 21_220, 'already_ended'],
    [401, 20_003, 'unreachable'],
    [503, 20_503, 'unreachable'],
  ])('answered with %i and code %i is %s', async (status, code, result) => {
    rest.answerWith((response) => refuse(response, status, code));
    expect(await carrier().endCall(sid)).toBe(result);
  });

  test('is unreachable when the connection is reset', async () => {
    rest.answerWith(dropped);
    expect(await carrier().endCall(sid)).toBe('unreachable');
  });
});

describe('sending a text', () => {
  test('asks once, with a callback', async () => {
    rest.answerWith((response) => reply(response, 201, { sid: 'SM1', status: 'queued' }));
    const result = await carrier().sendText(textRequest);
    expect(result).toEqual({ kind: 'sent', carrierTextId: 'SM1' });
    expect(rest.seen).toHaveLength(1);
    expect(Object.fromEntries(rest.seen[0]?.form ?? [])).toEqual({
      To: textRequest.to,
      From: textRequest.from,
      Body: textRequest.body,
      StatusCallback: textRequest.statusCallbackUrl,
    });
  });

  test.each([
    [400, 21_610, 'do_not_contact'],
    [400, 21_211, 'undeliverable'],
    [400, 21_614, 'undeliverable'],
    [401, 20_003, 'carrier_fault'],
    [429, 20_429, 'carrier_fault'],
  ])('refused with %i and code %i is %s', async (status, code, why) => {
    rest.answerWith((response) => refuse(response, status, code));
    const result = await carrier().sendText(textRequest);
    expect(result).toEqual({ kind: 'refused', why, code: String(code) });
  });

  test('whose connection is reset is unknown and not repeated', async () => {
    rest.answerWith(dropped);
    expect(await carrier().sendText(textRequest)).toMatchObject({ kind: 'unknown' });
    expect(rest.seen).toHaveLength(1);
  });
});
