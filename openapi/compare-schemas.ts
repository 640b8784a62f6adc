// Two versions of a schema -> what changed for whoever reads or writes it. Pure.
import type { Json, JsonObject } from './schema-openness.ts';

/** Who writes the value: the client in requests, the service in responses and webhooks. */
export type Writer = 'client' | 'service';

export interface Change {
  /** `breaking` must be accepted by name; `risky` and `safe` are only told. */
  readonly level: 'breaking' | 'risky' | 'safe';
  readonly rule: string;
  /** Where: operation, then the way to the field. */
  readonly at: string;
  readonly detail: string;
}

export interface Side {
  readonly document: JsonObject;
  readonly schema: Json | undefined;
}

interface Comparison {
  readonly old: JsonObject;
  readonly now: JsonObject;
  readonly at: string;
  readonly writer: Writer;
}

/** `seen` ends the walk where schemas refer to themselves. */
export function compareSchemas(
  old: Side,
  now: Side,
  place: { at: string; writer: Writer; seen?: readonly string[] },
): Change[] {
  const { at, writer, seen = [] } = place;
  const pair = `${nameOf(old.schema)} ${nameOf(now.schema)}`;
  if (nameOf(old.schema) && seen.includes(pair)) return [];
  const [x, y] = [resolve(old), resolve(now)];
  if (!x && !y) return [];
  if (!x || !y) return [change('breaking', 'schema-appeared-or-went', at)];
  const comparison = { old: x, now: y, at, writer };
  const inner = (from: Json | undefined, to: Json | undefined, step: string) =>
    compareSchemas(
      { document: old.document, schema: from },
      { document: now.document, schema: to },
      { at: at + step, writer, seen: [...seen, pair] },
    );
  return [
    ...compareTypes(place, typesOf({ ...old, schema: x }), typesOf({ ...now, schema: y })),
    ...compareValues(comparison),
    ...compareOpenValues(comparison),
    ...compareBounds(comparison),
    ...compareProperties(comparison),
    ...Object.keys(objectAt(x, 'properties')).flatMap((name) => {
      const to = objectAt(y, 'properties')[name];
      return to === undefined ? [] : inner(objectAt(x, 'properties')[name], to, `.${name}`);
    }),
    ...inner(x['items'], y['items'], '[]'),
    ...inner(recordValues(x), recordValues(y), '{}'),
    ...compareBranches(comparison),
    ...(['anyOf', 'oneOf'] as const).flatMap((kind) =>
      listAt(x, kind).flatMap((branch, index) => {
        const to = listAt(y, kind)[index];
        return to === undefined ? [] : inner(branch, to, `/${kind}${index}`);
      }),
    ),
  ];
}

export function change(
  level: Change['level'],
  rule: string,
  at: string,
  detail: string = '',
): Change {
  return { level, rule, at, detail };
}

function compareTypes(
  { at, writer }: { at: string; writer: Writer },
  before: readonly string[],
  after: readonly string[],
): Change[] {
  const gone = before.filter((type) => !after.includes(type));
  const fresh = after.filter((type) => !before.includes(type));
  if (gone.length + fresh.length === 0) return [];
  const detail = `${before.join('|') || 'any'} -> ${after.join('|') || 'any'}`;
  const breaks = writer === 'client' ? gone.length > 0 : fresh.length > 0;
  return [change(breaks ? 'breaking' : 'safe', 'type-changed', at, detail)];
}

/** Closed lists: a client may send what it could, and meets nothing that it does not know. */
function compareValues({ old, now, at, writer }: Comparison): Change[] {
  const [before, after] = [valuesOf(old), valuesOf(now)];
  if (!before && !after) return [];
  if (!before) return writer === 'client' ? [change('breaking', 'values-closed', at)] : [];
  if (!after) return writer === 'service' ? [change('breaking', 'values-opened', at)] : [];
  const gone = before.filter((value) => !after.includes(value)).join(', ');
  const fresh = after.filter((value) => !before.includes(value)).join(', ');
  return [
    ...(gone
      ? [change(writer === 'client' ? 'breaking' : 'risky', 'value-removed', at, gone)]
      : []),
    ...(fresh ? [change(writer === 'client' ? 'safe' : 'breaking', 'value-added', at, fresh)] : []),
  ];
}

/** Open lists may grow; losing a value, or turning closed, is a change that somebody may notice. */
function compareOpenValues({ old, now, at }: Comparison): Change[] {
  const open = 'x-extensible-enum';
  if (open in old && !(open in now)) return [change('breaking', 'open-list-closed', at)];
  const after = listAt(now, open).map(String);
  const gone = listAt(old, open)
    .map(String)
    .filter((value) => !after.includes(value));
  return gone.length > 0 ? [change('breaking', 'value-removed', at, gone.join(', '))] : [];
}

const upperBounds = ['maximum', 'maxLength', 'maxItems'];
const lowerBounds = ['minimum', 'minLength', 'minItems'];

function compareBounds({ old, now, at, writer }: Comparison): Change[] {
  const bounds = [...upperBounds, ...lowerBounds].flatMap((name) => {
    const isUpper = upperBounds.includes(name);
    const open = isUpper ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    const [before, after] = [Number(old[name] ?? open), Number(now[name] ?? open)];
    if (before === after) return [];
    const isTighter = isUpper ? after < before : after > before;
    const breaks = isTighter === (writer === 'client');
    const rule = isTighter ? 'bound-tightened' : 'bound-loosened';
    return [change(breaks ? 'breaking' : 'safe', rule, at, `${name} ${before} -> ${after}`)];
  });
  const wording = ['pattern', 'format'].flatMap((name) =>
    old[name] === now[name]
      ? []
      : [change('risky', `${name}-changed`, at, `${textOf(old[name])} -> ${textOf(now[name])}`)],
  );
  return [...bounds, ...wording];
}

function compareProperties({ old, now, at, writer }: Comparison): Change[] {
  const [before, after] = [objectAt(old, 'properties'), objectAt(now, 'properties')];
  const [wasRequired, isRequired] = [listAt(old, 'required'), listAt(now, 'required')];
  const kept = Object.keys(before).flatMap((name) => {
    const where = `${at}.${name}`;
    // Unknown fields of requests are ignored, so an old client goes on, without effect.
    if (!(name in after))
      return [change(writer === 'service' ? 'breaking' : 'risky', 'property-removed', where)];
    if (writer === 'client' && !wasRequired.includes(name) && isRequired.includes(name))
      return [change('breaking', 'property-became-required', where)];
    if (writer === 'service' && wasRequired.includes(name) && !isRequired.includes(name))
      return [change('breaking', 'property-became-optional', where)];
    return [];
  });
  const fresh = Object.keys(after)
    .filter((name) => !(name in before))
    .map((name) => {
      const breaks = writer === 'client' && isRequired.includes(name);
      return change(breaks ? 'breaking' : 'safe', 'property-added', `${at}.${name}`);
    });
  return [...kept, ...fresh];
}

function compareBranches({ old, now, at, writer }: Comparison): Change[] {
  return ['anyOf', 'oneOf'].flatMap((kind) => {
    const [before, after] = [listAt(old, kind).length, listAt(now, kind).length];
    if (before === after) return [];
    const breaks = after < before === (writer === 'client');
    const level = breaks ? 'breaking' : 'safe';
    return [change(level, 'branches-changed', at, `${kind} ${before} -> ${after}`)];
  });
}

function resolve({ document, schema }: Side): JsonObject | undefined {
  if (!isObject(schema)) return undefined;
  const name = nameOf(schema);
  return name ? resolve({ document, schema: follow(document, name) }) : schema;
}

function follow(document: JsonObject, reference: string): Json | undefined {
  const steps = reference.slice(2).split('/');
  return steps.reduce<Json | undefined>((value, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(value) ? value[key] : undefined;
  }, document);
}

function nameOf(schema: Json | undefined): string {
  return isObject(schema) && typeof schema['$ref'] === 'string' ? schema['$ref'] : '';
}

/** A choice of schemas has the types of them all. */
function typesOf(side: Side): string[] {
  const schema = resolve(side) ?? {};
  const branches = ['anyOf', 'oneOf'].flatMap((kind) => listAt(schema, kind));
  const chosen = branches.flatMap((branch) => typesOf({ ...side, schema: branch }));
  const own = [schema['type'] ?? []].flat().map(String);
  return [...new Set([...own, ...chosen])].toSorted();
}

function valuesOf(schema: JsonObject): string[] | undefined {
  if ('const' in schema) return [textOf(schema['const'])];
  return 'enum' in schema ? listAt(schema, 'enum').map(String) : undefined;
}

function recordValues({ additionalProperties }: JsonObject): Json | undefined {
  return isObject(additionalProperties) ? additionalProperties : undefined;
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

export function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isObject(found) ? found : {};
}

export function listAt(value: JsonObject, key: string): readonly Json[] {
  const found: Json | undefined = value[key];
  return Array.isArray(found) ? (found as readonly Json[]) : [];
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
