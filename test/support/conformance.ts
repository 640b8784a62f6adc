// Holds any response against the document, in its closed form: what is not documented fails.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { buildDocument } from '../../openapi/document.ts';
import { publicRouter } from '../../server/trpc/public-router.ts';

export interface ObservedResponse {
  readonly method: string;
  /** Path of the request, with or without a query. */
  readonly path: string;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  /** Absent when the answer has no body. */
  readonly content?: Readonly<Record<string, unknown>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

type DocumentedPath = Readonly<Record<string, DocumentedOperation>>;

const document = buildDocument(publicRouter, { responses: 'closed' });
// The document says of itself what it holds; the lint test keeps it to OpenAPI.
const paths = document['paths'] as unknown as Readonly<Record<string, DocumentedPath>>;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'document', ...document });

/** Throws an error that says what differs; returns `operationId status code` of what was seen. */
export function assertConforms(response: ObservedResponse): string {
  const { path, method, operation } = findOperation(response);
  const where = `${operation.operationId} ${response.status}`;
  const documented = operation.responses[String(response.status)];
  if (!documented) throw new Error(`${where} is not documented: ${response.body}`);
  for (const [name, { required }] of Object.entries(documented.headers ?? {}))
    if (required && response.headers[name.toLowerCase()] === undefined)
      throw new Error(`${where}: the header ${name} is missing`);
  if (!documented.content) {
    if (response.body !== '') throw new Error(`${where}: a body is not documented`);
    return `${where} ok`;
  }
  const contentType = String(response.headers['content-type']).split(';', 1)[0] ?? '';
  if (!documented.content[contentType])
    throw new Error(`${where}: ${contentType} is not documented`);
  // Bytes have no shape to hold them to.
  if (contentType !== 'application/json') return `${where} ok`;
  const body: unknown = JSON.parse(response.body);
  const pointer = [
    'paths',
    path,
    method,
    'responses',
    response.status,
    'content',
    contentType,
    'schema',
  ];
  const validate = ajv.getSchema(`document#/${pointer.map(escapePointer).join('/')}`);
  if (!validate) throw new Error(`${where}: the document has no schema`);
  if (validate(body) !== true)
    throw new Error(`${where}: ${ajv.errorsText(validate.errors)} in ${response.body}`);
  return `${where} ${errorCodeOf(body) ?? 'ok'}`;
}

/** As assertConforms; a 405 is the answer of every operation at its path. */
export function conformingOutcomes(response: ObservedResponse): string[] {
  const outcome = assertConforms(response);
  if (response.status !== 405) return [outcome];
  const { path } = findOperation(response);
  return Object.values(paths[path] ?? {}).map(
    ({ operationId }) => `${operationId} 405 method_not_allowed`,
  );
}

/** Every `operationId status code` that the document promises. */
export function documentedOutcomes(): string[] {
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        exampleCodes(content?.['application/json']).map(
          (code) => `${operationId} ${status} ${code}`,
        ),
      ),
    );
}

function findOperation(response: ObservedResponse) {
  const url = response.path.split('?', 1)[0] ?? '';
  const found = Object.entries(paths).find(([template]) => matches(template, url));
  if (!found) throw new Error(`${url} is not in the document`);
  const [path, item] = found;
  const method = response.method.toLowerCase();
  const operation = item[method];
  if (operation) return { path, method, operation };
  // The answer to a method that the path does not take is documented on the methods that it takes.
  const [taken = '', any] = Object.entries(item)[0] ?? [];
  if (!any || response.status !== 405)
    throw new Error(`${response.method} ${url} is not documented`);
  return { path, method: taken, operation: any };
}

function matches(template: string, url: string): boolean {
  const source = template.split(/\{\w+\}/).map((fixed) => fixed.replaceAll('.', String.raw`\.`));
  return new RegExp(`^${source.join('[^/]+')}$`).test(url);
}

function escapePointer(part: number | string): string {
  return encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
}

function errorCodeOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  return String(body.error);
}

function exampleCodes(media: unknown): string[] {
  const isErrors = typeof media === 'object' && media !== null && 'examples' in media;
  return isErrors ? Object.keys(Object(media.examples)) : ['ok'];
}
