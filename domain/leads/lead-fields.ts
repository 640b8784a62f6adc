// A posted body in any tool's shape -> the fields of its form, flat. Pure.
import { isForeignSection, isNotLeadPhone, personNameRank, plainName } from './field-name.ts';
import { readFieldObject } from './field-object.ts';
import { isObject, nestedEntries, type Entries } from './nested-entries.ts';

const limits = { depth: 7, fields: 800 } as const;

export interface LeadField {
  /** Plain names that it goes by: its key, or the label of a pair and the key above it. */
  readonly names: readonly string[];
  readonly value: string | number | boolean;
  /** Its tool says that this is a phone, whatever it is called. */
  readonly isPhoneType: boolean;
  /** The number of another, or what stands in a section that never holds the lead. */
  readonly isForeign: boolean;
  /** Fields of one object have the same owner. */
  readonly owner: Owner;
  readonly depth: number;
}

export interface Owner {
  readonly name: string;
}

/** In the order of the body; what lies too deep or comes too late is left out. */
export function readLeadFields(body: object): LeadField[] {
  const root: Place = {
    names: [],
    owner: { name: '' },
    depth: 0,
    isForeign: false,
    isPhoneType: false,
    mayHoldJson: true,
    titles: new Map(),
  };
  const fields: LeadField[] = [];
  for (const field of fieldsOf(body, root)) {
    if (fields.length === limits.fields) break;
    fields.push(field);
  }
  return fields;
}

interface Place extends Omit<LeadField, 'value'> {
  /** A string that holds JSON is read once, not again within itself. */
  readonly mayHoldJson: boolean;
  /** What a form's definition calls its fields, by their ids. */
  readonly titles: ReadonlyMap<string, string>;
}

function* fieldsOf(value: unknown, place: Place): Generator<LeadField, undefined> {
  const held = place.mayHoldJson ? readHeldJson(value) : null;
  if (held) yield* fieldsOf(held, { ...place, mayHoldJson: false });
  else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    yield toField(value, place);
  else if (isObject(value) && place.depth < limits.depth)
    yield* fieldsOfObject(value, { ...place, depth: place.depth + 1 });
}

function* fieldsOfObject(object: object, place: Place): Generator<LeadField, undefined> {
  const entries = nestedEntries(object);
  const field = readFieldObject(entries, place);
  const isList = [...entries.keys()].every((key) => /^\d*$/.test(key));
  if (isList) for (const item of entries.values()) yield* fieldsOf(item, place);
  else if (field) yield* fieldsOf(field.value, { ...place, ...field });
  else yield* fieldsOfSection(entries, place);
}

function* fieldsOfSection(entries: Entries, place: Place): Generator<LeadField, undefined> {
  // {"first": …, "last": …} below a name is a part of the object above.
  const isPart = personNameRank(place.names) !== null;
  const owner = isPart ? place.owner : { name: place.names[0] ?? '' };
  const titles = readTitles(entries) ?? place.titles;
  for (const [key, value] of entries)
    yield* fieldsOf(value, {
      ...place,
      names: [plainName(key)],
      owner,
      titles,
      isForeign: place.isForeign || isForeignSection(key),
      isPhoneType: false,
    });
}

function toField(value: LeadField['value'], place: Place): LeadField {
  const { names, owner, depth, isPhoneType } = place;
  const isForeign = place.isForeign || names.some(isNotLeadPhone);
  return { names, value, owner, depth, isPhoneType, isForeign };
}

/** Some tools send the whole form as text in one field. */
function readHeldJson(value: unknown): object | null {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return null;
  try {
    // It begins as an object or array does, so what parses is one.
    return JSON.parse(value) as object;
  } catch {
    return null;
  }
}

/** Typeform answers carry only the id of their question; its words stand in the definition. */
function readTitles(entries: Entries): ReadonlyMap<string, string> | null {
  const definition = entries.get('definition');
  if (!isObject(definition) || !Array.isArray(definition['fields'])) return null;
  const titles = new Map<string, string>();
  for (const field of definition['fields'].filter(isObject))
    for (const id of [field['id'], field['ref']])
      if (typeof id === 'string' && typeof field['title'] === 'string')
        titles.set(id, field['title']);
  return titles;
}
