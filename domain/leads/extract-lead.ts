// Whom to call, out of whatever a form tool posts: phone, first name, context. Pure.
import {
  contextRank,
  firstNameRankMax,
  isPersonSection,
  personNameRank,
  phoneRank,
  phoneWordRank,
} from './field-name.ts';
import { readLeadFields, type LeadField, type Owner } from './lead-fields.ts';
import { readTypedPhone } from './phone-number.ts';

const limits = { depthMax: 100, firstNameMaxChars: 100, customContextMaxChars: 2_000 } as const;

export interface ExtractedLead {
  readonly phone:
    | { readonly kind: 'found'; readonly e164: string }
    /** `unreadable`: a field is there for it, and no number can be read in it. */
    | { readonly kind: 'unreadable' | 'missing' };
  readonly firstName: string | null;
  readonly customContext: string | null;
  /** The tool says that nobody filled this in (`is_test` of Google lead forms). */
  readonly marksItselfTest: boolean;
}

export function extractLead(body: object): ExtractedLead {
  const fields = readLeadFields(body);
  const { phone, owner } = findPhone(fields);
  return {
    phone,
    firstName: findFirstName(fields, owner),
    customContext: findContext(fields, owner),
    marksItselfTest: fields.some(isTestMark),
  };
}

/** The best name wins, then the shallowest place, then the order of the body. */
function findPhone(fields: readonly LeadField[]): {
  phone: ExtractedLead['phone'];
  owner: Owner | null;
} {
  const own = fields.filter(({ isForeign, value }) => !isForeign && typeof value !== 'boolean');
  const named = byRank(own, phoneFieldRank);
  for (const { value, owner } of named) {
    const e164 = typeof value === 'boolean' ? null : readTypedPhone(value);
    if (e164) return { phone: { kind: 'found', e164 }, owner };
  }
  if (named.length > 0) return { phone: { kind: 'unreadable' }, owner: null };
  return findPhoneByShape(own);
}

function phoneFieldRank({ names, isPhoneType, depth }: LeadField): number | null {
  const named = phoneRank(names);
  const rank = isPhoneType && (named === null || named === phoneWordRank) ? 0 : named;
  return rank === null ? null : rank * limits.depthMax + depth;
}

/** Forms that send only the numbers of their fields: the one value that is written like a US number. */
function findPhoneByShape(fields: readonly LeadField[]) {
  const shape = /^\s*(?:\+?1[-. ]?)?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}\s*$/;
  const shaped = fields.filter(({ value }) => typeof value === 'string' && shape.test(value));
  const [only] = shaped;
  const e164 = only && shaped.length === 1 ? readTypedPhone(String(only.value)) : null;
  const phone = e164 ? ({ kind: 'found', e164 } as const) : ({ kind: 'missing' } as const);
  return { phone, owner: only?.owner ?? null };
}

/** A form may have a name too, so a bare `name` counts only beside the phone or in a person. */
function findFirstName(fields: readonly LeadField[], owner: Owner | null): string | null {
  const rankOf = (field: LeadField) => {
    const rank = personNameRank(field.names);
    if (rank === null || field.isForeign) return null;
    if (field.owner === owner) return rank;
    const isBare = field.names.includes('name') && rank > firstNameRankMax;
    return isBare && !isPersonSection(field.owner.name) ? null : limits.depthMax + rank;
  };
  for (const field of byRank(fields, rankOf)) {
    const text = cleanText(field.value, limits.firstNameMaxChars);
    const isFirst = (personNameRank(field.names) ?? 0) <= firstNameRankMax;
    const name = isFirst ? text : firstWord(text);
    if (name && /\p{L}/u.test(name) && !name.includes('@')) return name;
  }
  return null;
}

function findContext(fields: readonly LeadField[], owner: Owner | null): string | null {
  const rankOf = (field: LeadField) => {
    const rank = contextRank(field.names);
    if (rank === null || field.isForeign) return null;
    return field.owner === owner ? rank : limits.depthMax + rank;
  };
  const texts = byRank(fields, rankOf).map(({ value }) =>
    cleanText(value, limits.customContextMaxChars),
  );
  return texts.find((text) => text !== null) ?? null;
}

function isTestMark({ names, value }: LeadField): boolean {
  return names.includes('is_test') && /^(?:true|1|yes)$/i.test(String(value));
}

/** Those with a rank, best first; equals stay in their order. */
function byRank(fields: readonly LeadField[], rankOf: (field: LeadField) => number | null) {
  return fields
    .map((field) => ({ field, rank: rankOf(field) ?? Number.POSITIVE_INFINITY }))
    .filter(({ rank }) => Number.isFinite(rank))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ field }) => field);
}

/** Text that can be kept and spoken: no control characters, no halves of characters. */
function cleanText(value: LeadField['value'], maxChars: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim()
    .slice(0, 2 * maxChars);
  return Array.from(text).slice(0, maxChars).join('').toWellFormed() || null;
}

function firstWord(text: string | null): string | null {
  const words = text
    ?.split(/\s+/)
    .filter((word) => !/^(?:mr|mrs|ms|miss|mx|dr|prof)\.?$/i.test(word));
  return words?.[0]?.replace(/,$/, '') ?? null;
}
