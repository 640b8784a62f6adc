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

export function renderDeclaration(name: string, schema: Schema): string {
  const comment = renderComment(schema.description, '');
  if (!schema.properties) return `${comment}export type ${name} = ${renderType(schema, '')};`;
  return `${comment}export interface ${name} ${renderObject(schema, '')}`;
}

/** Lists that may grow stay open: `(string & {})` keeps the known values in completion. */
function renderType(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((member) => renderType(member, indent)).join(' | ');
  const types = [schema.type ?? []].flat();
  return types.map((type) => renderOne(type, schema, indent)).join(' | ') || 'unknown';
}

function renderOne(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'string': {
      const known = schema['x-extensible-enum'];
      return known ? `${known.map(literal).join(' | ')} | (string & {})` : 'string';
    }
    case 'array':
      return `Array<${renderType(schema.items ?? {}, indent)}>`;
    case 'object':
      return schema.properties ? renderObject(schema, indent) : renderRecord(schema, indent);
    default:
      return type;
  }
}

function renderObject(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const required = new Set(schema.required);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const type = renderType(field, inner);
    const optional = required.has(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
    return `${renderComment(field.description, inner)}${inner}${optional};`;
  });
  return `{\n${fields.join('\n')}\n${indent}}`;
}

function renderRecord(schema: Schema, indent: string): string {
  const values = schema.additionalProperties;
  return `Record<string, ${typeof values === 'object' ? renderType(values, indent) : 'unknown'}>`;
}

function renderComment(description: string | undefined, indent: string): string {
  if (!description) return '';
  return `${indent}/** ${description.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;
}

function literal(value: boolean | number | string | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
