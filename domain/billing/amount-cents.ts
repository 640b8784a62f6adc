// Amounts as people give them: whole cents, checked, and named when they are wrong. Pure.
import { AppError } from '../app-error.ts';
import { billingLimits } from './billing-limits.ts';
import { centsFromMicros, microsPerCent } from './pricing.ts';

/** Throws AppError `invalid_request` that names the field. */
export function microsFromCents(amountCents: number, field = 'amount_cents'): number {
  const { depositMaxCents } = billingLimits;
  if (!Number.isSafeInteger(amountCents) || amountCents === 0 || amountCents > depositMaxCents)
    throw new AppError(
      'invalid_request',
      `${field}: must be a whole number of cents, not 0 and at most ${depositMaxCents}.`,
    );
  return amountCents * microsPerCent;
}

/** As above, and above zero. */
export function depositMicros(amountCents: number): number {
  if (amountCents < 0)
    throw new AppError('invalid_request', 'amount_cents: a deposit must be above 0.');
  return microsFromCents(amountCents);
}

export function belowFirstMinimum(minimumMicros: number): AppError {
  const cents = centsFromMicros(minimumMicros);
  const dollars = (cents / 100).toFixed(2);
  return new AppError(
    'invalid_request',
    `amount_cents: the first deposit must be at least ${cents} cents ($${dollars}).`,
  );
}
