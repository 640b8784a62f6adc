// The two forms of the document: open for clients, closed for tests.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Responses may gain fields: what forbids unknown ones is taken out everywhere. */
export function openSchemas(document: JsonObject): JsonObject {
  return mapObjects(document, (object) => {
    const { additionalProperties, ...schema } = joinNullType(object);
    return additionalProperties ? { ...schema, additionalProperties } : schema;
  });
}

/** `anyOf` a simple type or null reads better as one list of types. */
function joinNullType(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  const [given, none, ...others] = listOf(anyOf);
  if (others.length > 0 || !isObject(given) || !isObject(none) || none['type'] !== 'null')
    return schema;
  if (typeof given['type'] !== 'string') return schema;
  return { ...given, ...rest, type: [given['type'], 'null'] };
}

/** A field that is not documented, or a value outside an open list, breaks the schema. */
export function closeSchemas(document: JsonObject): JsonObject {
  return mapObjects(document, (schema) => ({
    ...schema,
    ...(isPlainObjectSchema(schema) && { additionalProperties: false }),
    ...(schema['x-extensible-enum'] && { enum: schema['x-extensible-enum'] }),
  }));
}

function isPlainObjectSchema(schema: JsonObject): boolean {
  return schema['type'] === 'object' && 'properties' in schema;
}

/** Rebuilds every object of a document, the inner ones first. */
export function mapObjects(
  value: JsonObject,
  change: (object: JsonObject) => JsonObject,
): JsonObject {
  const entries = Object.entries(value).map(([key, child]): [string, Json] => [
    key,
    mapChild(child, change),
  ]);
  return change(Object.fromEntries(entries));
}

function mapChild(value: Json, change: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return listOf(value).map((child) => mapChild(child, change));
  return isObject(value) ? mapObjects(value, change) : value;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
