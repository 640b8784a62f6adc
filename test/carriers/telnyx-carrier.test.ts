import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { streamAuthToken } from '../../adapters/carriers/telnyx/stream-auth.ts';
import { createTelnyxCarrier } from '../../adapters/carriers/telnyx/telnyx-carrier.ts';
import { startTwilioRest as startRest, reply, type TwilioRest as Rest } from './twilio-rest.ts';

let rest: Rest;
beforeEach(async () => {
  rest = await startRest();
});
afterEach(() => rest.close());

const carrier = (requestTimeoutMs = 3_000) =>
  createTelnyxCarrier({
    apiKey: 'KEY1',
    connectionId: '17',
    messagingProfileId: 'profile-1',
    baseUrl: rest.url,
    requestTimeoutMs,
  });

const callRequest = {
  attemptId: 'att_1',
  workspaceId: 'wsp_1',
  to: '+12025550101',
  from: '+12025550102',
  ringTimeoutSeconds: 25,
  timeLimitSeconds: 660,
  mediaUrl: 'wss://voice.ok-carrier.net/media/telnyx/token-1',
  statusCallbackUrl: 'https://api.ok-carrier.net/carriers/telnyx/wsp_1/ord_1/att_1/call',
  machineDetectionCallbackUrl:
    'https://api.ok-carrier.net/carriers/telnyx/wsp_1/ord_1/att_1/machine',
};

const textRequest = {
  textId: 'txt_1',
  to: '+12025550101',
  from: '+12025550102',
  body: 'We tried to reach you.',
  statusCallbackUrl: 'https://api.ok-carrier.net/carriers/telnyx/wsp_1/texts/txt_1',
};

type Response = Parameters<typeof reply>[0];
const dropped = (response: { destroy(): unknown }) => void response.destroy();
const refuse = (response: Response, status: number, code: string, pointer?: string) =>
  reply(response, status, {
    errors: [
      {
        code,
        title: 'Refused',
        detail: 'The number +12025550101 was refused',
        ...(pointer && { source: { pointer } }),
      },
    ],
  });

describe('placing a call', () => {
  test('asks once, with our reference twice and a stream both ways', async () => {
    const data = { call_control_id: 'v3:1', call_leg_id: 'l', is_alive: false };
    rest.answerWith((response) => reply(response, 200, { data }));
    const result = await carrier().placeCall(callRequest);
    expect(result).toEqual({ kind: 'placed', carrierCallId: 'v3:1' });
    expect(rest.seen).toHaveLength(1);
    const [request] = rest.seen;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v2/calls',
      authorization: 'Bearer KEY1',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      connection_id: '17',
      to: callRequest.to,
      from: callRequest.from,
      timeout_secs: 25,
      time_limit_secs: 660,
      client_state: Buffer.from('att_1').toString('base64'),
      command_id: 'att_1',
      webhook_url: callRequest.statusCallbackUrl,
      webhook_url_method: 'POST',
      answering_machine_detection: 'premium',
      stream_url: callRequest.mediaUrl,
      stream_auth_token: streamAuthToken('KEY1', callRequest.mediaUrl),
      stream_track: 'inbound_track',
      stream_codec: 'PCMU',
      stream_bidirectional_mode: 'rtp',
      stream_bidirectional_codec: 'PCMU',
      stream_bidirectional_sampling_rate: 8_000,
    });
  });

  test.each([
    [422, '10016', '/to', 'invalid_number'],
    [422, '10002', undefined, 'invalid_number'],
    [422, '10016', '/from', 'carrier_fault'],
    [403, '40300', undefined, 'do_not_contact'],
    [429, '10011', undefined, 'too_many_requests'],
    [401, '10009', undefined, 'carrier_fault'],
    [403, '10010', undefined, 'carrier_fault'],
  ])('refused with %i and code %s at %s is %s', async (status, code, pointer, why) => {
    rest.answerWith((response) => refuse(response, status, code, pointer));
    expect(await carrier().placeCall(callRequest)).toEqual({ kind: 'refused', why, code });
    expect(rest.seen).toHaveLength(1);
  });

  test('refused by a proxy without a code is a definite no all the same', async () => {
    rest.answerWith((response) => response.writeHead(429).end('slow down'));
    const code = 'HTTP 429';
    expect(await carrier().placeCall(callRequest)).toEqual({
      kind: 'refused',
      why: 'too_many_requests',
      code,
    });
  });

  test.each([408, 409, 500, 502, 503])('answered with %i is not repeated', async (status) => {
    rest.answerWith((response) => refuse(response, status, '10007'));
    const { kind } = await carrier().placeCall(callRequest);
    expect(kind).toBe(status < 500 ? 'refused' : 'unknown');
    expect(rest.seen).toHaveLength(1);
  });

  test('whose connection is reset after the request is unknown and not repeated', async () => {
    rest.answerWith(dropped);
    expect(await carrier().placeCall(callRequest)).toMatchObject({ kind: 'unknown' });
    expect(rest.seen).toHaveLength(1);
  });

  test('that is never answered is unknown after the time limit', async () => {
    rest.answerWith(() => undefined);
    expect(await carrier(300).placeCall(callRequest)).toMatchObject({ kind: 'unknown' });
    expect(rest.seen).toHaveLength(1);
  });

  test('whose answer drips in is unknown after the time limit', async () => {
    rest.answerWith((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    });
    expect(await carrier(400).placeCall(callRequest)).toEqual({
      kind: 'unknown',
      detail: 'ETIMEDOUT',
    });
  });

  test.each(['not json', '{}', '[]', 'null'])('answered with %j is unknown', async (body) => {
    rest.answerWith((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
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
    rest.answerWith((response) => refuse(response, 422, '10002'));
    const refused = await carrier().placeCall(callRequest);
    rest.answerWith(dropped);
    const unknown = await carrier().placeCall(callRequest);
    expect(JSON.stringify([refused, unknown])).not.toMatch(/2025550101|2025550102|token-1|KEY1/);
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

  test('that Telnyx has forgotten by its id is over, but was placed', async () => {
    rest.answerWith((response) => refuse(response, 404, '10005'));
    expect(await carrier().findCall({ ...query, carrierCallId: 'v3:1' })).toEqual({
      kind: 'found',
      carrierCallId: 'v3:1',
      state: 'completed',
      durationSeconds: null,
    });
  });

  test('without its id finds the living call that carries our reference', async () => {
    const call = (id: string, reference: string) => ({
      call_control_id: id,
      call_leg_id: `leg-${id}`,
      client_state: Buffer.from(reference).toString('base64'),
      is_alive: true,
    });
    rest.answerWith((response, { path }) => {
      if (path === '/v2/connections/17/active_calls')
        return reply(response, 200, {
          data: [call('v3:other', 'att_2'), call('v3:ours', 'att_1')],
          meta: { page_number: 1, total_pages: 1 },
        });
      if (path === '/v2/calls/v3:ours') return reply(response, 200, { data: call('v3:ours', '') });
      return reply(response, 200, {
        data: [{ name: 'call.initiated', call_leg_id: 'leg-v3:ours' }],
        meta: { page_number: 1, total_pages: 1 },
      });
    });
    expect(await carrier().findCall(query)).toEqual({
      kind: 'found',
      carrierCallId: 'v3:ours',
      state: 'ringing',
      durationSeconds: null,
    });
  });

  test.each([
    ['answers 500', (response: Response) => refuse(response, 500, '10007')],
    ['refuses the key', (response: Response) => refuse(response, 401, '10009')],
    ['resets the connection', dropped],
  ])('is unreachable, not none, when the carrier %s', async (_, answer) => {
    rest.answerWith(answer);
    expect(await carrier().findCall(query)).toMatchObject({ kind: 'unreachable' });
    const byId = { ...query, carrierCallId: 'v3:1' };
    expect(await carrier().findCall(byId)).toMatchObject({ kind: 'unreachable' });
  });
});

describe('ending a call', () => {
  test.each([
    [404, '10005', 'already_ended'],
    [422, '90018', 'already_ended'],
    [422, '10015', 'unreachable'],
    [401, '10009', 'unreachable'],
    [503, '10007', 'unreachable'],
  ])('answered with %i and code %s is %s', async (status, code, result) => {
    rest.answerWith((response) => refuse(response, status, code));
    expect(await carrier().endCall('v3:1')).toBe(result);
  });

  test('is unreachable when the connection is reset', async () => {
    rest.answerWith(dropped);
    expect(await carrier().endCall('v3:1')).toBe('unreachable');
  });
});

describe('sending a text', () => {
  test.each([
    [403, '40300', 'do_not_contact'],
    [422, '10002', 'undeliverable'],
    [400, '40012', 'undeliverable'],
    [401, '10009', 'carrier_fault'],
    [429, '10011', 'carrier_fault'],
  ])('refused with %i and code %s is %s', async (status, code, why) => {
    rest.answerWith((response) => refuse(response, status, code));
    expect(await carrier().sendText(textRequest)).toEqual({ kind: 'refused', why, code });
  });

  test('whose connection is reset is unknown and not repeated', async () => {
    rest.answerWith(dropped);
    expect(await carrier().sendText(textRequest)).toMatchObject({ kind: 'unknown' });
    expect(rest.seen).toHaveLength(1);
  });
});
