// What Telnyx tells us: who sent it is proven by its signature, what it says is put into our words.
import { createPublicKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type {
  CallEvent,
  CallbackReading,
  CarrierCallbacks,
  SignedRequest,
} from '../../../domain/calls/carrier.ts';
import { askTelnyx } from './ask-telnyx.ts';
import { finalStateOf } from './hangup-cause.ts';
import { answerInboundCall, readInboundStep } from './inbound-calls.ts';
import { splitStreamUrl, streamAuthToken } from './stream-auth.ts';
import { callIdOf, parseEvent } from './telnyx-event.ts';
import { readTextReceived, readTextState } from './telnyx-texts.ts';

const limits = {
  /** How far the time of the signature may be from ours. */
  toleranceSeconds: 300,
  signatureOctets: 64,
} as const;

/** What DER puts before the 32 octets of an Ed25519 public key. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

export function createTelnyxCallbacks(options: {
  apiKey: string;
  baseUrl: string;
  /** Base64 of 32 octets, as the portal shows it. Throws when it is none. */
  publicKey: string;
  now: () => Date;
}): CarrierCallbacks {
  const { apiKey, now } = options;
  const publicKey = readPublicKey(options.publicKey);
  const ask = askTelnyx(options);
  const read =
    <Reading>(parse: (body: string) => Reading) =>
    (request: SignedRequest): Reading | { kind: 'forged' } =>
      isSigned(publicKey, request, now()) ? parse(request.body) : { kind: 'forged' };
  return {
    // One address takes all events of a call: each says itself what it is.
    readCall: read(readTelnyxEvent),
    readMachineDetection: read(readTelnyxEvent),
    readTextState: read(readTextState),
    readTextReceived: read(readTextReceived),
    readInboundCall: read((body) => readInboundStep(ask, body) ?? readTelnyxEvent(body)),
    answerInboundCall: (call, answer) => answerInboundCall(ask, { apiKey, call, answer }),
    verifyUpgrade({ url, headers }) {
      const { address, token } = splitStreamUrl(url);
      const given = headers['x-telnyx-streaming-auth-token'] ?? token;
      return typeof given === 'string' && equal(given, streamAuthToken(apiKey, address));
    },
  };
}

export function readPublicKey(base64: string): KeyObject {
  const octets = Buffer.from(base64, 'base64');
  if (octets.length !== 32) throw new RangeError('An Ed25519 public key has 32 octets.');
  return createPublicKey({
    key: Buffer.concat([spkiPrefix, octets]),
    format: 'der',
    type: 'spki',
  });
}

/** Over the time, a bar, and the body as it came. */
function isSigned(publicKey: KeyObject, { headers, body }: SignedRequest, now: Date): boolean {
  const timestamp = headers['telnyx-timestamp'];
  const signature = headers['telnyx-signature-ed25519'];
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  const ageSeconds = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  if (ageSeconds > limits.toleranceSeconds) return false;
  const octets = Buffer.from(signature, 'base64');
  if (octets.length !== limits.signatureOctets) return false;
  return verify(null, Buffer.from(`${timestamp}|${body}`), publicKey, octets);
}

const Hangup = z.object({
  hangup_cause: z.string().nullish(),
  sip_hangup_cause: z.string().nullish(),
});
const Detection = z.object({ result: z.string() });

/** The id of an event is the same however often it is delivered. */
export function readTelnyxEvent(body: string): CallbackReading {
  const parsed = parseEvent(body);
  if (!parsed) return { kind: 'unreadable' };
  const { id: eventId, type, payload } = parsed;
  const carrierCallId = callIdOf(payload);
  if (!isCallEvent(type)) return { kind: 'ignored' };
  if (carrierCallId === null) return { kind: 'unreadable' };
  const event = callEvent(type, { eventId, carrierCallId }, payload);
  return event ? { kind: 'event', event } : { kind: 'ignored' };
}

function isCallEvent(type: string): boolean {
  return type.startsWith('call.') || type.startsWith('streaming.');
}

function callEvent(
  type: string,
  ids: { eventId: string; carrierCallId: string },
  payload: object,
): CallEvent | null {
  switch (type) {
    case 'call.initiated':
      // The next that Telnyx tells is the answer: it does not say when a phone begins to ring.
      return { kind: 'call_state', ...ids, state: 'ringing', durationSeconds: null };
    case 'call.answered':
      return { kind: 'call_state', ...ids, state: 'in_progress', durationSeconds: null };
    case 'call.hangup': {
      const { hangup_cause: cause, sip_hangup_cause: sip } = Hangup.parse(payload);
      const state = finalStateOf(cause ?? '', sip ?? '');
      return { kind: 'call_state', ...ids, state, durationSeconds: null };
    }
    case 'call.machine.detection.ended':
    case 'call.machine.premium.detection.ended':
    case 'call.machine.greeting.ended':
    case 'call.machine.premium.greeting.ended': {
      const answeredBy = answeredByOf(type, Detection.safeParse(payload).data?.result ?? '');
      return answeredBy && { kind: 'machine_detection', ...ids, answeredBy };
    }
    case 'streaming.failed':
    case 'streaming.stopped':
      return { kind: 'media_ended', ...ids };
    default:
      return null;
  }
}

/** A beep tells of a machine even where no verdict came before it; its absence tells nothing. */
function answeredByOf(type: string, result: string) {
  if (type.endsWith('greeting.ended')) return result === 'beep_detected' ? 'machine' : null;
  if (result.startsWith('human')) return 'person';
  return result === 'machine' || result === 'fax_detected' ? 'machine' : 'unknown';
}

function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
