// openapi.json -> src/generated/api.ts: types, error codes, and where each operation lives.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderDeclaration, type Schema } from './render-type.ts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Body } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly 'x-error-codes': Readonly<Record<string, { status: number; retry: string }>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;
}

export const generatedFile = new URL('src/generated/api.ts', import.meta.url);

/** The whole generated file; pure, so that a test can compare it with the committed one. */
export function generateApi(document: Document): string {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const errorSchemas = new Set(
    operations.flatMap(({ operation }) => responseTypes(operation, (status) => status >= 400)),
  );
  const { named, nullable } = splitNull(document.components.schemas);
  return [
    '// Generated from openapi.json by generate.ts; change the contract, never this file.',
    ...Object.entries(named)
      .filter(([name]) => !errorSchemas.has(name))
      .map(([name, schema]) => renderDeclaration(name, schema, nullable)),
    renderEvents(Object.values(document.webhooks).flatMap(({ post }) => typeOf(post.requestBody))),
    ...operations.flatMap(({ operation }) => renderResponse(operation)),
    renderTable(
      'Every error code, its HTTP status and what may be done about it.',
      'errorCodes',
      document['x-error-codes'],
    ),
    'export type ErrorCode = keyof typeof errorCodes;',
    renderTable('Method and path of each operation.', 'operations', addresses(operations)),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** A schema that may be null is declared without it; `| null` stands where it is used. */
function splitNull(schemas: Readonly<Record<string, Schema>>) {
  const nullable = new Set<string>();
  const named = Object.entries(schemas).map(([name, schema]): [string, Schema] => {
    const types = [schema.type ?? []].flat();
    const [only = '', ...others] = types.filter((type) => type !== 'null');
    if (others.length > 0 || !types.includes('null')) return [name, schema];
    nullable.add(name);
    return [name, { ...schema, type: only }];
  });
  return { named: Object.fromEntries(named), nullable };
}

function renderEvents(types: readonly string[]): string {
  const comment = '/** What a webhook tells; `event` says which. */';
  return `${comment}\nexport type WebhookEvent = ${types.join(' | ')};`;
}

function addresses(
  operations: readonly { path: string; method: string; operation: DocumentedOperation }[],
) {
  return Object.fromEntries(
    operations.map(({ path, method, operation }) => [
      operation.operationId,
      { method: method.toUpperCase(), path },
    ]),
  );
}

/** None for an operation that answers with a file. */
function renderResponse(operation: DocumentedOperation): string[] {
  const name = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
  const [success] = responseTypes(operation, (status) => status < 300);
  return success === undefined ? [] : [`export type ${name}Response = ${success};`];
}

function responseTypes(operation: DocumentedOperation, wanted: (status: number) => boolean) {
  return Object.entries(operation.responses)
    .filter(([status]) => wanted(Number(status)))
    .flatMap(([, response]) => typeOf(response));
}

/** The name of a JSON body's type; nothing for other bodies. */
function typeOf(body: Body): string[] {
  const name = body.content?.['application/json']?.schema.$ref?.split('/').at(-1);
  return name === undefined ? [] : [name];
}

function renderTable(
  comment: string,
  name: string,
  rows: Readonly<Record<string, object>>,
): string {
  const lines = Object.entries(rows).map(([key, row]) => {
    const fields = Object.entries(row).map(
      ([field, value]) => `${field}: ${typeof value === 'string' ? `'${value}'` : String(value)}`,
    );
    return `  ${key}: { ${fields.join(', ')} },`;
  });
  return `/** ${comment} */\nexport const ${name} = {\n${lines.join('\n')}\n} as const;`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const source = new URL('../openapi/openapi.json', import.meta.url);
  // The contract test holds the file to the shape that is read here.
  writeFileSync(generatedFile, generateApi(JSON.parse(readFileSync(source, 'utf8')) as Document));
}
