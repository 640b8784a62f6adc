// Objects that stand for one field: label and value, a typed answer, a number in parts. Pure.
import { personNameRank, phoneRank, plainName } from './field-name.ts';
import type { Entries } from './nested-entries.ts';
import { isObject } from './nested-entries.ts';

export interface FieldObject {
  readonly names: readonly string[];
  readonly value: unknown;
  readonly isPhoneType: boolean;
}

interface Around {
  /** The key above it. */
  readonly names: readonly string[];
  /** What a form's definition calls its fields, by their ids. */
  readonly titles: ReadonlyMap<string, string>;
}

/** Null when the object holds fields of its own. */
export function readFieldObject(entries: Entries, around: Around): FieldObject | null {
  return (
    readTypedAnswer(entries, around) ?? readPhoneParts(entries, around) ?? readPair(entries, around)
  );
}

const phoneTypes = ['phone', 'tel', 'phone_number', 'control_phone'];
const labelKeys = [
  'name',
  'key',
  'label',
  'title',
  'question',
  'column_id',
  'column_name',
  'field_name',
];
const valueKeys = ['value', 'values', 'string_value', 'answer'];
const wholeNumberKeys = ['full', 'e164', 'international', 'phone_number', 'number', 'national'];
const callingCodeKeys = ['country_code', 'calling_code', 'dial_code', 'country'];

/** `{"type": "phone_number", "phone_number": …, "field": {"id": …}}` */
function readTypedAnswer(entries: Entries, { names, titles }: Around): FieldObject | null {
  const type = entries.get('type');
  const question = entries.get('field');
  if (typeof type !== 'string' || !entries.has(type) || !isObject(question)) return null;
  const asked = [question['id'], question['ref']].flatMap((id) => titles.get(String(id)) ?? []);
  return {
    names: [...asked.map(plainName), ...names],
    value: entries.get(type),
    isPhoneType: isPhoneType(entries),
  };
}

function readPhoneParts(entries: Entries, { names }: Around): FieldObject | null {
  if (phoneRank(names) === null) return null;
  const area = firstText(entries, ['area', 'area_code']);
  const rest = firstText(entries, ['phone']);
  const number =
    firstText(entries, wholeNumberKeys) ?? (area !== null && rest !== null ? area + rest : null);
  if (number === null) return null;
  const code = firstText(entries, callingCodeKeys);
  return { names, value: withCallingCode(number, code), isPhoneType: true };
}

/** A number of another country must not be read as one of ours. */
function withCallingCode(number: string, code: string | null): string {
  if (code === null || number.trim().startsWith('+')) return number;
  const digits = /^\+?(\d{1,3})$/.exec(code)?.[1];
  if (digits) return digits === '1' ? number : `+${digits}${number}`;
  return /^(?!US|CA)[A-Z]{2}$/i.test(code) ? `${code} ${number}` : number;
}

function readPair(entries: Entries, { names }: Around): FieldObject | null {
  const byKey = new Map([...entries].map(([key, value]) => [plainKey(key), value]));
  const valueKey = valueKeys.find((key) => byKey.has(key));
  const labels = textsAt(byKey, labelKeys);
  // Where only an id tells which field it is, the id is its name.
  if (labels.length === 0) labels.push(...textsAt(byKey, ['id']));
  if (!valueKey || (labels.length === 0 && names.length === 0)) return null;
  // A person who has a name, a value and a phone is no pair.
  const others = [...byKey.keys()].filter((key) => !labelKeys.includes(key)).map(plainName);
  if (phoneRank(others) !== null || personNameRank(others) !== null) return null;
  if ([...byKey].some(([key, value]) => key !== valueKey && isSection(value))) return null;
  return {
    names: [...labels.map(plainName), ...names],
    value: firstOf(byKey.get(valueKey)),
    isPhoneType: isPhoneType(entries),
  };
}

/** `columnId` and `column_id` alike; unlike in names, `field_` stays. */
function plainKey(key: string): string {
  return key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
}

function isPhoneType(entries: Entries): boolean {
  const types = [entries.get('type'), entries.get('field_type'), entries.get('fieldType')];
  return types.some((type) => typeof type === 'string' && phoneTypes.includes(type.toLowerCase()));
}

function isSection(value: unknown): boolean {
  return isObject(value) && !Array.isArray(value);
}

function textsAt(entries: Entries, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const value = entries.get(key);
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

function firstText(entries: Entries, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = firstOf(entries.get(key));
    if (typeof value === 'number' || (typeof value === 'string' && value)) return String(value);
  }
  return null;
}

/** Of several values the first counts; a form sends them as `values[0]`, `values[1]`. */
function firstOf(value: unknown): unknown {
  if (Array.isArray(value)) return value[0];
  return value instanceof Map ? (value.get('0') ?? value.get('') ?? value) : value;
}
