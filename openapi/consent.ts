// The consent record of an order and the form in which it states its time.
import { z } from 'zod';
import { limits } from './limits.ts';
import { text } from './text.ts';

/**
 * RFC 3339, where seconds may be left out; whether the date exists is for the consent gate to say.
 */
export const timestampPattern =
  /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

export const reservedConsentSources = ['test_', 'manual:'] as const;

export const Consent = z
  .object({
    opt_in_confirmed: z
      .literal(true)
      .meta({ description: 'Must be true: the lead agreed to be called and texted.' }),
    consented_at: z
      .string()
      .regex(timestampPattern)
      .meta({
        description:
          'When the lead agreed: an ISO 8601 timestamp with a zone, a real date, at most ' +
          `${limits.consent.futureSkewMaxMinutes} minutes in the future and at most ` +
          `${limits.consent.ageMaxDays} days old. Seconds may be left out.`,
        examples: ['2026-05-01T12:00:00Z'],
      }),
    source: text({ min: 1, max: limits.consent.sourceMaxChars }).meta({
      description:
        'Page or form where the lead agreed. Must not start with `test_` or `manual:`; ' +
        'these are reserved for the dashboard.',
      examples: ['https://example.com/quote'],
    }),
  })
  .meta({
    id: 'Consent',
    description: 'Kept with the order, word for word, as the record for every call and text.',
  });
export type Consent = z.infer<typeof Consent>;
