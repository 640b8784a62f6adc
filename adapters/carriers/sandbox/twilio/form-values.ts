// Reading single values out of a form. Pure.
import { invalidParameter, type TwilioError } from './twilio-error.ts';

export type Read<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | { readonly kind: 'refused'; readonly error: TwilioError };

export function refused(error: TwilioError): { kind: 'refused'; error: TwilioError } {
  return { kind: 'refused', error };
}

export function isPhoneNumber(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

/** Absent is null; anything but an http or https URL throws FormError. */
export function readUrl(form: URLSearchParams, name: string): string | null {
  const value = form.get(name);
  if (!value) return null;
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) throw new FormError(name);
  return value;
}

export function readMethod(form: URLSearchParams, name: string): 'GET' | 'POST' {
  const value = form.get(name) ?? 'POST';
  if (value !== 'GET' && value !== 'POST') throw new FormError(name);
  return value;
}

export function readWhole(
  form: URLSearchParams,
  name: string,
  { min, max, otherwise }: { min: number; max: number; otherwise: number },
): number {
  const text = form.get(name);
  if (text === null || text === '') return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) throw new FormError(name);
  return value;
}

/** A parameter that cannot be understood; never leaves the form readers. */
export class FormError extends Error {
  readonly error: TwilioError;
  constructor(name: string) {
    super(`invalid parameter ${name}`);
    this.error = invalidParameter(name);
  }
}
