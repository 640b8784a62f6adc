// The carrier and text ports over Twilio's REST interface. Nothing here is ever sent twice.
import type {
  CallRequest,
  Carrier,
  PlaceCallResult,
  SendTextResult,
  TextRequest,
  Texts,
} from '../../../domain/calls/carrier.ts';
import { callTwiml } from './call-twiml.ts';
import { findCall } from './find-call.ts';
import { createTwilioClient } from './twilio-client.ts';
import type { TwilioClient } from './twilio-client.ts';
import { isNotFound, readTwilioFailure } from './twilio-failure.ts';
import type { TwilioFailure } from './twilio-failure.ts';
import { optedOutCode } from './twilio-texts.ts';

const limits = { requestTimeoutMs: 15_000 } as const;

/** https://www.twilio.com/docs/api/errors */
const codes = {
  invalidNumber: new Set(['13223', '13224', '21211', '21214', '21217', '21401']),
  optedOut: new Set([optedOutCode]),
  undeliverableText: new Set(['21211', '21217', '21612', '21614', '30003', '30005', '30006']),
  tooManyRequests: new Set(['20429', 'HTTP 429']),
  callNotInProgress: new Set(['21220']),
} as const;

type Refusal = Extract<TwilioFailure, { kind: 'refused' }>;

export function createTwilioCarrier(options: {
  accountSid: string;
  authToken: string;
  baseUrl: string;
  requestTimeoutMs?: number;
}): Carrier & Texts {
  let made: TwilioClient | undefined;
  // Processes that never call never load the package.
  const client = () =>
    (made ??= createTwilioClient({ requestTimeoutMs: limits.requestTimeoutMs, ...options }));
  return {
    name: 'twilio',
    placeCall: (request) => placeCall(client(), request),
    findCall: (query) => findCall(client(), query),
    endCall: (carrierCallId) => endCall(client(), carrierCallId),
    sendText: (request) => sendText(client(), request),
  };
}

async function placeCall(client: TwilioClient, request: CallRequest): Promise<PlaceCallResult> {
  try {
    const call = await client.calls.create({
      to: request.to,
      from: request.from,
      twiml: callTwiml(request.mediaUrl),
      timeout: request.ringTimeoutSeconds,
      timeLimit: request.timeLimitSeconds,
      statusCallback: request.statusCallbackUrl,
      statusCallbackMethod: 'POST',
      statusCallbackEvent: ['initiated', 'ringing', 'answered', 'completed'],
      // The call goes on while Twilio listens for a machine: people hear no silence.
      machineDetection: 'Enable',
      asyncAmd: 'true',
      asyncAmdStatusCallback: request.machineDetectionCallbackUrl,
      asyncAmdStatusCallbackMethod: 'POST',
    });
    return call.sid
      ? { kind: 'placed', carrierCallId: call.sid }
      : { kind: 'unknown', detail: 'answer without a sid' };
  } catch (error) {
    const failure = readTwilioFailure(error);
    if (failure.kind === 'unknown') return failure;
    return { kind: 'refused', why: whyNoCall(failure), code: failure.code };
  }
}

function whyNoCall({ code, httpStatus }: Refusal) {
  if (codes.invalidNumber.has(code)) return 'invalid_number';
  if (codes.optedOut.has(code)) return 'do_not_contact';
  if (httpStatus === 429 || codes.tooManyRequests.has(code)) return 'too_many_requests';
  return 'carrier_fault';
}

async function endCall(client: TwilioClient, carrierCallId: string) {
  try {
    await client.calls(carrierCallId).update({ status: 'completed' });
    return 'ended';
  } catch (error) {
    const failure = readTwilioFailure(error);
    if (isNotFound(failure)) return 'already_ended';
    const isOver = failure.kind === 'refused' && codes.callNotInProgress.has(failure.code);
    return isOver ? 'already_ended' : 'unreachable';
  }
}

async function sendText(client: TwilioClient, request: TextRequest): Promise<SendTextResult> {
  try {
    const { to, from, body, statusCallbackUrl } = request;
    const statusCallback = statusCallbackUrl;
    const message = await client.messages.create({ to, from, body, statusCallback });
    return message.sid
      ? { kind: 'sent', carrierTextId: message.sid }
      : { kind: 'unknown', detail: 'answer without a sid' };
  } catch (error) {
    const failure = readTwilioFailure(error);
    if (failure.kind === 'unknown') return failure;
    return { kind: 'refused', why: whyNoText(failure), code: failure.code };
  }
}

function whyNoText({ code }: Refusal) {
  if (codes.optedOut.has(code)) return 'do_not_contact';
  return codes.undeliverableText.has(code) ? 'undeliverable' : 'carrier_fault';
}
