// `anyOf` a named schema or null becomes a named schema that may be null, where it always may. Pure.
import { type Json, type JsonObject, mapObjects } from './schema-openness.ts';

/** Readers and generators cope better with one list of types than with a choice of schemas. */
export function joinNullReferences(document: JsonObject): JsonObject {
  const uses = countNames(document, ({ $ref }) => $ref);
  const nullableUses = countNames(document, nullableReference);
  const joined = [...nullableUses.keys()].filter(
    (name) => nullableUses.get(name) === uses.get(name),
  );
  const rewritten = mapObjects(document, (object) => {
    const name = nullableReference(object);
    if (typeof name !== 'string' || !joined.includes(name)) return object;
    const { anyOf: _, ...rest } = object;
    return { ...rest, $ref: name };
  });
  return mapComponents(rewritten, (name, schema) =>
    joined.includes(`#/components/schemas/${name}`) && typeof schema['type'] === 'string'
      ? { ...schema, type: [schema['type'], 'null'] }
      : schema,
  );
}

function nullableReference({ anyOf }: JsonObject): Json | undefined {
  const [given, none, ...others] = Array.isArray(anyOf) ? (anyOf as readonly Json[]) : [];
  if (others.length > 0 || !isObject(given) || !isObject(none)) return undefined;
  return none['type'] === 'null' ? given['$ref'] : undefined;
}

function countNames(document: JsonObject, nameOf: (object: JsonObject) => Json | undefined) {
  const counts = new Map<string, number>();
  mapObjects(document, (object) => {
    const name = nameOf(object);
    if (typeof name === 'string') counts.set(name, (counts.get(name) ?? 0) + 1);
    return object;
  });
  return counts;
}

function mapComponents(
  document: JsonObject,
  change: (name: string, schema: JsonObject) => JsonObject,
): JsonObject {
  const { components } = document;
  if (!isObject(components) || !isObject(components['schemas'])) return document;
  const schemas = Object.entries(components['schemas']).map(([name, schema]) => [
    name,
    isObject(schema) ? change(name, schema) : schema,
  ]);
  return {
    ...document,
    components: { ...components, schemas: Object.fromEntries(schemas) as JsonObject },
  };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
