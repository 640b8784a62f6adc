// The form that sends a text. Pure.
import type { TextOrder } from '../texts/carry-text.ts';
import { FormError, isPhoneNumber, readUrl, refused } from './form-values.ts';
import type { Read } from './form-values.ts';
import { twilioErrors } from './twilio-error.ts';

const limits = { bodyLettersMax: 1_600 } as const;

export interface TextForm extends TextOrder {
  readonly statusCallback: string | null;
}

export function readTextForm(form: URLSearchParams): Read<TextForm> {
  const to = form.get('To');
  const from = form.get('From');
  const messagingServiceSid = form.get('MessagingServiceSid');
  const body = form.get('Body');
  if (!to) return refused(twilioErrors.noTextTo);
  if (!isPhoneNumber(to)) return refused(twilioErrors.invalidTo);
  if (!from && !messagingServiceSid) return refused(twilioErrors.noTextFrom);
  if (from && !isPhoneNumber(from)) return refused(twilioErrors.invalidFrom);
  if (!body) return refused(twilioErrors.noTextBody);
  if (body.length > limits.bodyLettersMax) return refused(twilioErrors.textTooLong);
  try {
    const statusCallback = readUrl(form, 'StatusCallback');
    const senderPool = messagingServiceSid;
    const value = { to, from: from ?? '', senderPool, body, statusCallback };
    return { kind: 'read', value };
  } catch (error) {
    if (error instanceof FormError) return refused(error.error);
    throw error;
  }
}
