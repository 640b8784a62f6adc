// Operations and webhooks -> the OpenAPI document. Pure: writing it is for generate.ts.
import { generateOpenApiDocument, type OpenApiRouter } from 'trpc-to-openapi';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { ERRORS } from './errors.ts';
import { errorComponents, errorResponses, requestIdDescription } from './error-responses.ts';
import { joinNullReferences } from './null-references.ts';
import {
  type BytesAnswer,
  type FreeBody,
  freeBodyOf,
  type Operation,
  pathParameters,
} from './operation.ts';
import { operations } from './operations.ts';
import { closeSchemas, type JsonObject, openSchemas } from './schema-openness.ts';
import { webhookDescriptions, webhookSchemas } from './webhook-descriptions.ts';

/**
 * Published documents are open: responses may gain fields and listed values may grow. Tests use the
 * closed form, in which a field or value that is not listed breaks the schema.
 */
export function buildDocument(
  router: OpenApiRouter,
  { responses }: { responses: 'open' | 'closed' },
): JsonObject {
  const all: readonly Operation[] = Object.values(operations);
  const generated = generateOpenApiDocument(router, {
    title: 'Lead calling API',
    version: '1.0.0',
    description: introduction,
    license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    openApiVersion: '3.1.1',
    baseUrl: '/',
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          '`Authorization: Bearer <API_KEY>`. Live keys begin with `svc_live_`, test keys ' +
          'with `svc_test_`.',
      },
      linkToken: {
        type: 'apiKey',
        in: 'query',
        name: 't',
        description: 'The token in a playable link to a recording.',
      },
    },
    paths: describePaths(all),
    defs: webhookSchemas,
  });
  const complete = toJson({
    ...generated,
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Orders', description: 'Order an outcome for a lead and read what came of it.' },
      { name: 'Leads', description: 'Leads from forms and no-code tools.' },
      { name: 'Recordings', description: 'Listen to the calls of an order.' },
      { name: 'Workspace', description: 'What the key may do, and the agents that call.' },
    ],
    webhooks: webhookDescriptions,
    components: {
      ...generated.components,
      schemas: { ...generated.components?.schemas, ...errorComponents(all) },
    },
    'x-error-codes': publicErrorCodes(),
  });
  return responses === 'open' ? openSchemas(joinNullReferences(complete)) : closeSchemas(complete);
}

function publicErrorCodes() {
  const isPublic = Object.entries(ERRORS).filter(([, { audience }]) => audience === 'public');
  return Object.fromEntries(isPublic.map(([code, { status, retry }]) => [code, { status, retry }]));
}

/** Through JSON, so that what is compared and what is written are the same. */
function toJson(document: object): JsonObject {
  return JSON.parse(JSON.stringify(document)) as JsonObject;
}

const introduction = `Order an outcome for a lead: an automated voice agent calls, asks, books,
and reports by signed webhook.

**Errors.** Every error body is \`{ "success": false, "error": "<code>", "message": "<text>" }\`.
Branch on \`error\`, whose values are stable; wording may change. Each answer carries an
\`X-Request-Id\`. \`x-error-codes\` lists every code with its status and retry advice.

**Versioning.** The version is in the path. Within \`/v1\` new fields, codes, reasons and
endpoints may appear; nothing is renamed or removed.`;

function describePaths(all: readonly Operation[]): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of all) {
    const item = (paths[operation.path] ??= {});
    item[operation.method.toLowerCase()] = describeOperation(operation);
  }
  return paths;
}

/** The complete operation: trpc-to-openapi takes it as it is in place of what it would infer. */
function describeOperation(operation: Operation): ZodOpenApiOperationObject {
  const { id: operationId, summary, description, success } = operation;
  return {
    operationId,
    summary,
    description,
    tags: [operation.tag],
    security: securityOf(operation),
    ...describeRequest(operation),
    responses: {
      [String(success.status)]: {
        description: success.description,
        headers: (success.headers ?? z.object({})).extend(everyAnswer),
        content: success.bytes
          ? bytesContent(success.bytes)
          : { 'application/json': { schema: success.schema, example: success.example } },
      },
      ...(success.bytes && bytesResponses(success.bytes)),
      ...errorResponses(operation),
    },
  };
}

function securityOf({ auth }: Operation): Record<string, string[]>[] {
  switch (auth) {
    case 'apiKey':
    case 'apiKeyOrNotFound':
      return [{ apiKey: [] }];
    case 'apiKeyOrLink':
      return [{ apiKey: [] }, { linkToken: [] }];
    case 'none':
      return [];
  }
}

function bytesResponses(bytes: BytesAnswer) {
  return Object.fromEntries(
    Object.entries(bytes.otherAnswers).map(([status, answer]) => [
      status,
      {
        description: answer.description,
        headers: answer.headers.extend(everyAnswer),
        ...(answer.hasContent && { content: bytesContent(bytes) }),
      },
    ]),
  );
}

function bytesContent({ contentType, description }: BytesAnswer) {
  return { [contentType]: { schema: { type: 'string' as const, format: 'binary', description } } };
}

const everyAnswer = { 'X-Request-Id': z.string().meta({ description: requestIdDescription }) };

function describeRequest(operation: Operation): Partial<ZodOpenApiOperationObject> {
  const { path, rest } = splitInput(operation);
  const { body } = operation;
  const free = freeBodyOf(operation);
  return {
    requestParams: {
      ...(path && { path }),
      ...(rest && (!operation.body || free) && { query: rest }),
      ...(operation.requestHeaders && { header: operation.requestHeaders }),
    },
    ...(free && { requestBody: { required: true, content: freeContent(free) } }),
    ...(body &&
      'examples' in body &&
      rest && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: rest, examples: { ...body.examples } } },
        },
      }),
  };
}

function freeContent({ freeForm: { schema, contentTypes, examples } }: FreeBody) {
  const [first] = Object.entries(examples);
  return Object.fromEntries(
    contentTypes.map((type, position) => [
      type,
      {
        schema,
        examples: position === 0 ? { ...examples } : Object.fromEntries(first ? [first] : []),
      },
    ]),
  );
}

/**
 * Path parameters, and what remains for query or body; an input without parameters stays the named
 * schema it is.
 */
function splitInput({ input, ...operation }: Operation): {
  path?: z.ZodObject;
  rest?: z.ZodObject;
} {
  const inPath = new Set(pathParameters(operation));
  if (inPath.size === 0) return { rest: input };
  const [path, rest] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(input.shape).filter(([name]) => inPath.has(name) === wanted)),
  );
  return {
    path: z.object(path),
    ...(rest && Object.keys(rest).length > 0 && { rest: z.object(rest) }),
  };
}
