// What the name of a form field says: is it a phone, a first name, a message? Pure; smaller ranks are better.

/** `q4_phoneNumber` and `Your phone number` are both `phone_number`. */
export function plainName(name: string): string {
  let plain = snakeCase(name);
  for (let longer = ''; longer !== plain;) {
    longer = plain;
    plain = plain.replace(formPrefix, '');
  }
  return plain;
}

/** The rank of a name that merely has a word for a phone in it. */
export const phoneWordRank = 3;

/** Of several names for one field the best counts; null when none of them names a phone. */
export function phoneRank(names: readonly string[]): number | null {
  return best(names, (name) => {
    const rank = rankIn(phoneNames, name) ?? rankIn(phoneNames, name.replace(/_\d+$/, ''));
    if (rank !== null) return rank;
    return phoneWords.test(name) || reachableNumber.test(name) ? phoneWordRank : null;
  });
}

/** A number that is not the lead's own, or a fact about a number. */
export function isNotLeadPhone(name: string): boolean {
  return otherPeople.test(name) || (aboutPhone.test(name) && !/_with_|_incl/.test(name));
}

export const firstNameRankMax = 1;

/** Up to `firstNameRankMax` first names, above it whole names. */
export function personNameRank(names: readonly string[]): number | null {
  return best(names, (name) => {
    if (otherPeople.test(name)) return null;
    const rank = personNames.findIndex((pattern) => pattern.test(name));
    return rank < 0 ? null : rank;
  });
}

export function contextRank(names: readonly string[]): number | null {
  return best(names, (name) => rankIn(contextNames, name));
}

/** Objects that describe the sender or the form and never hold the lead. */
export function isForeignSection(key: string): boolean {
  return foreignSections.has(snakeCase(key));
}

/** Objects that hold a person, so that a bare `name` in them is the name of one. */
export function isPersonSection(name: string): boolean {
  return ['contact', 'customer', 'client', 'lead', 'person', 'custom_data'].includes(name);
}

const formPrefix = /^(?:q\d+|your|field|lead|contact_form|customer|user)_(?=.)/;

const phoneNames = [
  'phone phone_number phone_no primary_phone contact_phone best_number phone1 phone_1 ' +
    'phones phone_numbers phonenumber phoneno',
  'mobile mobile_phone mobilephone mobile_number cell cell_phone cellphone cell_number',
  'telephone tel home_phone daytime_phone contact_number whatsapp whatsapp_number phone2 phone_2 ' +
    'telefono celular',
].map(setOf);
const phoneWords = /(?:^|_)(?:phones?|mobile|cell|telephone)(?:_|$)/;
const reachableNumber =
  /(?:^|_)(?:best|contact|reach|call)_(?:.*_)?number|(?:^|_)number_(?:.*_)?(?:reach|call)/;
const otherPeople =
  /(?:^|_)(?:fax|company|business|office|work|agent|agency|owner|account|location)(?:_|$)/;
const aboutPhone =
  /(?:^|_)(?:type|country|code|ext|extension|verified|valid|consent|opt_in|id|status|format|carrier|time|date|at|count)$/;

const personNames = [
  /^(?:first_?name|fname|given_?name|first|forename|name_first)$/,
  /(?:^|_)(?:first|given)_name(?:_|$)/,
  /^(?:full_?name|name|contact_name|client_name|person_name|first_and_last_name)$/,
  /(?:^|_)(?:your|full)_name$/,
];
const contextNames = ['custom_context', 'message messages', 'notes note', 'comments comment'].map(
  setOf,
);
const foreignSections = setOf(
  'location workflow user company account agency agent owner schema definition meta metadata ' +
    'headers query page campaign',
);

function snakeCase(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

function rankIn(ranks: readonly ReadonlySet<string>[], name: string): number | null {
  const rank = ranks.findIndex((names) => names.has(name));
  return rank < 0 ? null : rank;
}

function best(names: readonly string[], rankOf: (name: string) => number | null): number | null {
  const ranks = names.map(rankOf).filter((rank) => rank !== null);
  return ranks.length > 0 ? Math.min(...ranks) : null;
}
