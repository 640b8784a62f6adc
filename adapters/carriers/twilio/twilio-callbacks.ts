// What Twilio tells us: who sent it is proven by its signature, what it says is put into our words.
import { createHash, timingSafeEqual } from 'node:crypto';
import type {
  CallbackReading,
  CallEvent,
  CarrierCallbacks,
  CarrierEvent,
  RequestHeaders,
  SignedRequest,
} from '../../../domain/calls/carrier.ts';
import { textOf, type FormParams } from './form-params.ts';
import { inboundTwiml, parseInboundCall } from './inbound-calls.ts';
import { twilioPackage } from './twilio-package.ts';
import { callStateOf, secondsOf } from './twilio-statuses.ts';
import { parseTextReceived, parseTextState } from './twilio-texts.ts';

/** Forms sign their fields, JSON bodies are named by a hash in the URL, upgrades have neither. */
export interface TwilioSigned {
  readonly authToken: string;
  /** As the carrier was given it: built from the configured origin, never from a Host header. */
  readonly url: string;
  readonly params?: FormParams;
  readonly rawBody?: Uint8Array;
  readonly signature: string | undefined;
}

export function createTwilioCallbacks(options: { authToken: string }): CarrierCallbacks {
  const { authToken } = options;
  const read = <Event extends CarrierEvent>(
    request: SignedRequest,
    parse: (params: FormParams) => Event | null,
  ): CallbackReading<Event> => {
    if (!isSigned(authToken, request)) return { kind: 'forged' };
    const event = parse(request.params);
    return event ? { kind: 'event', event } : { kind: 'unreadable' };
  };
  return {
    readCall: (request) => read(request, parseCallStatus),
    readMachineDetection: (request) => read(request, parseMachineDetection),
    readTextState: (request) => read(request, parseTextState),
    readTextReceived: (request) => read(request, parseTextReceived),
    readInboundCall(request) {
      if (!isSigned(authToken, request)) return { kind: 'forged' };
      const call = parseInboundCall(request.params);
      return call ? { kind: 'call', call } : { kind: 'unreadable' };
    },
    answerInboundCall: async (_call, answer) => inboundTwiml(answer),
    verifyUpgrade: (request) => isSigned(authToken, request),
  };
}

function isSigned(
  authToken: string,
  { url, params, headers }: Pick<SignedRequest, 'url' | 'headers'> & { params?: FormParams },
): boolean {
  return verifyTwilioSignature({
    authToken,
    url,
    ...(params && { params }),
    signature: signatureOf(headers),
  });
}

function signatureOf(headers: RequestHeaders): string | undefined {
  const signature = headers['x-twilio-signature'];
  return typeof signature === 'string' ? signature : undefined;
}

export function verifyTwilioSignature(signed: TwilioSigned): boolean {
  const { authToken, url, params = {}, rawBody, signature } = signed;
  if (!signature || !URL.canParse(url)) return false;
  if (rawBody && !namesBody(url, rawBody)) return false;
  const { validateRequest } = twilioPackage();
  return signedForms(url).some((form) => validateRequest(authToken, signature, form, params));
}

/** Null when a field is missing or the state is none that we know. */
export function parseCallStatus(params: FormParams): CallEvent | null {
  const carrierCallId = textOf(params['CallSid']);
  const state = callStateOf(textOf(params['CallStatus']));
  if (!carrierCallId || !state) return null;
  return {
    kind: 'call_state',
    // Twilio repeats a callback after a lost answer; a call enters each state once.
    eventId: `${carrierCallId}:${state}`,
    carrierCallId,
    state,
    durationSeconds: secondsOf(textOf(params['CallDuration'])),
  };
}

export function parseMachineDetection(params: FormParams): CallEvent | null {
  const carrierCallId = textOf(params['CallSid']);
  const verdict = textOf(params['AnsweredBy']);
  if (!carrierCallId || !verdict) return null;
  return {
    kind: 'machine_detection',
    eventId: `${carrierCallId}:machine_detection`,
    carrierCallId,
    answeredBy: answeredByOf(verdict),
  };
}

/** "unknown" means only that: people who say nothing at first end there too. */
function answeredByOf(verdict: string) {
  if (verdict === 'human') return 'person';
  return verdict.startsWith('machine_') || verdict === 'fax' ? 'machine' : 'unknown';
}

/**
 * Proxies turn one scheme into the other, and Twilio may or may not sign the default port.
 * The package tries each form with and without a port, but knows the port of https only.
 */
function signedForms(url: string): string[] {
  const { protocol, port } = new URL(url);
  const twins: Readonly<Record<string, string>> = {
    'wss:': 'https:',
    'ws:': 'http:',
    'https:': 'wss:',
    'http:': 'ws:',
  };
  const twin = twins[protocol];
  const schemes = twin ? [protocol, twin] : [protocol];
  return schemes.flatMap((scheme) => {
    const form = url.replace(/^[a-z]+:/i, scheme);
    const withPort = form.replace(/^(wss:\/\/[^/?#]+)/, '$1:443');
    return scheme === 'wss:' && port === '' ? [form, withPort] : [form];
  });
}

function namesBody(url: string, rawBody: Uint8Array): boolean {
  const named = Buffer.from(new URL(url).searchParams.get('bodySHA256') ?? '');
  const actual = Buffer.from(createHash('sha256').update(rawBody).digest('hex'));
  return named.length === actual.length && timingSafeEqual(named, actual);
}
