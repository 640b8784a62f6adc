// The form that places a call. Pure.
import type { DetectionSettings } from '../line/machine-detection.ts';
import type { CallOrder } from '../line/phone-call.ts';
import {
  FormError,
  isPhoneNumber,
  readMethod,
  readUrl,
  readWhole,
  refused,
} from './form-values.ts';
import type { Read } from './form-values.ts';
import { twilioErrors } from './twilio-error.ts';

const limits = { twimlLettersMax: 4_000, ringSecondsMax: 600, talkSecondsMax: 14_400 } as const;

export interface CallForm extends CallOrder {
  readonly instructions:
    | { readonly kind: 'twiml'; readonly twiml: string }
    | { readonly kind: 'url'; readonly url: string; readonly method: 'GET' | 'POST' };
  readonly statusCallback: string | null;
  readonly statusCallbackMethod: 'GET' | 'POST';
  readonly statusCallbackEvents: readonly string[];
  readonly asyncDetectionCallback: { readonly url: string; readonly method: 'GET' | 'POST' } | null;
}

export function readCallForm(form: URLSearchParams): Read<CallForm> {
  const to = form.get('To');
  const from = form.get('From');
  if (!to) return refused(twilioErrors.noTo);
  if (!isPhoneNumber(to)) return refused(twilioErrors.invalidTo);
  if (!from) return refused(twilioErrors.noFrom);
  if (!isPhoneNumber(from)) return refused(twilioErrors.invalidFrom);
  try {
    const instructions = readInstructions(form);
    if (!instructions) return refused(twilioErrors.noInstructions);
    return { kind: 'read', value: { to, from, instructions, ...readSettings(form) } };
  } catch (error) {
    if (error instanceof FormError) return refused(error.error);
    throw error;
  }
}

/** Url wins if both are given. */
function readInstructions(form: URLSearchParams): CallForm['instructions'] | null {
  const url = readUrl(form, 'Url');
  if (url) return { kind: 'url', url, method: readMethod(form, 'Method') };
  const twiml = form.get('Twiml');
  if (!twiml) return null;
  if (twiml.length > limits.twimlLettersMax) throw new FormError('Twiml');
  return { kind: 'twiml', twiml };
}

function readSettings(form: URLSearchParams): Omit<CallForm, 'to' | 'from' | 'instructions'> {
  const { ringSecondsMax, talkSecondsMax } = limits;
  const events = form.getAll('StatusCallbackEvent').flatMap((value) => value.split(/[ ,]+/));
  const detectionUrl = readUrl(form, 'AsyncAmdStatusCallback');
  return {
    statusCallback: readUrl(form, 'StatusCallback'),
    statusCallbackMethod: readMethod(form, 'StatusCallbackMethod'),
    statusCallbackEvents: events.length > 0 ? events : ['completed'],
    timeoutSeconds: readWhole(form, 'Timeout', { min: 1, max: ringSecondsMax, otherwise: 60 }),
    timeLimitSeconds: readWhole(form, 'TimeLimit', {
      min: 1,
      max: talkSecondsMax,
      otherwise: talkSecondsMax,
    }),
    detection: readDetection(form),
    waitsForDetection: form.get('AsyncAmd') !== 'true',
    asyncDetectionCallback: detectionUrl
      ? { url: detectionUrl, method: readMethod(form, 'AsyncAmdStatusCallbackMethod') }
      : null,
  };
}

function readDetection(form: URLSearchParams): DetectionSettings | null {
  const mode = form.get('MachineDetection');
  if (!mode) return null;
  if (mode !== 'Enable' && mode !== 'DetectMessageEnd') throw new FormError('MachineDetection');
  const read = (name: string, min: number, max: number, otherwise: number) =>
    readWhole(form, `MachineDetection${name}`, { min, max, otherwise });
  return {
    mode,
    timeoutMs: read('Timeout', 3, 59, 30) * 1_000,
    speechThresholdMs: read('SpeechThreshold', 1_000, 6_000, 2_400),
    speechEndThresholdMs: read('SpeechEndThreshold', 500, 5_000, 1_200),
    silenceTimeoutMs: read('SilenceTimeout', 2_000, 10_000, 5_000),
  };
}
