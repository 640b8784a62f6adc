// Strings as the contract means them: lengths count characters, and every accepted string can be
// stored.
import { z } from 'zod';

/**
 * A string of `min` to `max` characters, in the sense of JSON Schema: code points, not UTF-16
 * units.
 */
export function text({ min = 0, max }: { min?: number; max?: number } = {}) {
  const bounds = {
    ...(min > 0 && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
  };
  return z
    .string()
    .refine(isStorable, 'must not contain NUL or unpaired surrogates')
    .refine((value) => isWithin(value, min, max), lengthMessage(min, max))
    .meta(bounds);
}

/**
 * An open list: the values known today, as documentation. Clients must accept values that are not
 * listed.
 */
export function openEnum(values: readonly string[], description: string) {
  return z.string().meta({ description, 'x-extensible-enum': [...values] });
}

function isStorable(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

function isWithin(value: string, min: number, max = Number.POSITIVE_INFINITY): boolean {
  if (value.length < min) return false;
  // A code point takes one or two units, so most strings are decided without counting.
  if (value.length <= max) return true;
  return value.length <= 2 * max && Array.from(value).length <= max;
}

function lengthMessage(min: number, max: number | undefined): string {
  if (max === undefined) return 'must not be empty';
  if (min === 0) return `must have at most ${max} characters`;
  return `must have ${min} to ${max} characters`;
}
