// A JSON schema of our document -> the TypeScript that says the same. Pure.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: boolean | number | string;
  readonly enum?: readonly (boolean | number | string | null)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly 'x-extensible-enum'?: readonly string[];
}

/** References to a name in `nullable` may be null. */
export function renderDeclaration(
  name: string,
  schema: Schema,
  nullable: ReadonlySet<string>,
): string {
  const comment = renderComment(schema.description, '');
  const place = { indent: '', nullable };
  if (!schema.properties) return `${comment}export type ${name} = ${renderType(schema, place)};`;
  return `${comment}export interface ${name} ${renderObject(schema, place)}`;
}

interface Place {
  readonly indent: string;
  readonly nullable: ReadonlySet<string>;
}

/** Lists that may grow stay open: `(string & {})` keeps the known values in completion. */
function renderType(schema: Schema, place: Place): string {
  if (schema.$ref) return renderReference(schema.$ref, place);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((member) => renderType(member, place)).join(' | ');
  const types = [schema.type ?? []].flat();
  return types.map((type) => renderOne(type, schema, place)).join(' | ') || 'unknown';
}

function renderReference(reference: string, { nullable }: Place): string {
  const name = reference.split('/').at(-1) ?? 'unknown';
  return nullable.has(name) ? `${name} | null` : name;
}

function renderOne(type: string, schema: Schema, place: Place): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'string': {
      const known = schema['x-extensible-enum'];
      return known ? `${known.map(literal).join(' | ')} | (string & {})` : 'string';
    }
    case 'array':
      return `Array<${renderType(schema.items ?? {}, place)}>`;
    case 'object':
      return schema.properties ? renderObject(schema, place) : renderRecord(schema, place);
    default:
      return type;
  }
}

function renderObject(schema: Schema, { indent, nullable }: Place): string {
  const inner = `${indent}  `;
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const type = renderType(field, { indent: inner, nullable });
    const optional = required.has(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${renderComment(field.description, inner)}${inner}${optional};`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}

function renderRecord(schema: Schema, place: Place): string {
  const values = schema.additionalProperties;
  return `Record<string, ${typeof values === 'object' ? renderType(values, place) : 'unknown'}>`;
}

function renderComment(description: string | undefined, indent: string): string {
  if (!description) return '';
  return `${indent}/** ${description.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;
}

function literal(value: boolean | number | string | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
