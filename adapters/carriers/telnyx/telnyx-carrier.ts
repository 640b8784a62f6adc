// The carrier and text ports over Telnyx's REST interface. Nothing here is ever sent twice.
import type {
  CallRequest,
  Carrier,
  PlaceCallResult,
  SendTextResult,
  TextRequest,
  Texts,
} from '../../../domain/calls/carrier.ts';
import { askTelnyx, type AskTelnyx, type TelnyxOptions } from './ask-telnyx.ts';
import { clientStateOf } from './client-state.ts';
import { findCall } from './find-call.ts';
import { streamAuthToken } from './stream-auth.ts';
import { readTelnyxFailure, type TelnyxFailure } from './telnyx-failure.ts';
import { optedOutCode } from './telnyx-texts.ts';

/** https://developers.telnyx.com/development/api-fundamentals/api-errors */
const codes = {
  invalidNumber: new Set(['10002', '10016']),
  optedOut: new Set([optedOutCode]),
  undeliverableText: new Set(['10002', '10016', '40001', '40008', '40012']),
  tooManyRequests: new Set(['10011', 'HTTP 429']),
  callEnded: new Set(['90018']),
} as const;

type Refusal = Extract<TelnyxFailure, { kind: 'refused' }>;

export function createTelnyxCarrier(options: TelnyxOptions): Carrier & Texts {
  const ask = askTelnyx(options);
  return {
    name: 'telnyx',
    placeCall: (request) => placeCall(ask, options, request),
    findCall: (query) => ask((client) => findCall(client, options.connectionId, query)),
    endCall: (carrierCallId) => endCall(ask, carrierCallId),
    sendText: (request) => sendText(ask, options, request),
  };
}

async function placeCall(
  ask: AskTelnyx,
  options: TelnyxOptions,
  request: CallRequest,
): Promise<PlaceCallResult> {
  try {
    const answer = await ask((client) => client.calls.dial(dialBody(options, request)));
    const carrierCallId = answer?.data?.call_control_id;
    return carrierCallId
      ? { kind: 'placed', carrierCallId }
      : { kind: 'unknown', detail: 'answer without a call control id' };
  } catch (error) {
    const failure = readTelnyxFailure(error);
    if (failure.kind === 'unknown') return failure;
    return { kind: 'refused', why: whyNoCall(failure), code: failure.code };
  }
}

function dialBody(options: TelnyxOptions, request: CallRequest) {
  return {
    connection_id: options.connectionId,
    to: request.to,
    from: request.from,
    timeout_secs: request.ringTimeoutSeconds,
    time_limit_secs: request.timeLimitSeconds,
    client_state: clientStateOf(request.attemptId),
    // Telnyx dials once per command id, should this request ever reach it twice.
    command_id: request.attemptId,
    // All events of the call, the machine detection among them, name themselves.
    webhook_url: request.statusCallbackUrl,
    webhook_url_method: 'POST',
    // The plain detection takes a person who is silent at first for a machine.
    answering_machine_detection: 'premium',
    stream_url: request.mediaUrl,
    stream_auth_token: streamAuthToken(options.apiKey, request.mediaUrl),
    stream_track: 'inbound_track',
    stream_codec: 'PCMU',
    stream_bidirectional_mode: 'rtp',
    stream_bidirectional_codec: 'PCMU',
    stream_bidirectional_sampling_rate: 8_000,
  } as const;
}

function whyNoCall({ code, httpStatus, pointer }: Refusal) {
  if (codes.invalidNumber.has(code) && pointer !== '/from') return 'invalid_number';
  if (codes.optedOut.has(code)) return 'do_not_contact';
  if (httpStatus === 429 || codes.tooManyRequests.has(code)) return 'too_many_requests';
  return 'carrier_fault';
}

async function endCall(ask: AskTelnyx, carrierCallId: string) {
  try {
    await ask((client) => client.calls.actions.hangup(carrierCallId, {}));
    return 'ended';
  } catch (error) {
    const failure = readTelnyxFailure(error);
    if (failure.kind === 'unknown') return 'unreachable';
    const isOver = failure.httpStatus === 404 || codes.callEnded.has(failure.code);
    return isOver ? 'already_ended' : 'unreachable';
  }
}

async function sendText(
  ask: AskTelnyx,
  { messagingProfileId }: TelnyxOptions,
  request: TextRequest,
): Promise<SendTextResult> {
  try {
    const answer = await ask((client) =>
      client.messages.send({
        to: request.to,
        from: request.from,
        text: request.body,
        webhook_url: request.statusCallbackUrl,
        ...(messagingProfileId !== null && { messaging_profile_id: messagingProfileId }),
      }),
    );
    const carrierTextId = answer?.data?.id;
    return carrierTextId
      ? { kind: 'sent', carrierTextId }
      : { kind: 'unknown', detail: 'answer without an id' };
  } catch (error) {
    const failure = readTelnyxFailure(error);
    if (failure.kind === 'unknown') return failure;
    return { kind: 'refused', why: whyNoText(failure), code: failure.code };
  }
}

function whyNoText({ code, pointer }: Refusal) {
  if (codes.optedOut.has(code)) return 'do_not_contact';
  return codes.undeliverableText.has(code) && pointer !== '/from'
    ? 'undeliverable'
    : 'carrier_fault';
}
