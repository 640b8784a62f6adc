// Error responses of an operation: one per status, naming each of its codes.
import { ERRORS, type ErrorCode } from './errors.ts';
import type { Operation } from './operation.ts';
import type { JsonObject } from './schema-openness.ts';

export const requestIdDescription = 'Identifier of this request; quote it when asking for help.';

export function errorResponses(operation: Operation) {
  return Object.fromEntries(
    codesByStatus(operation).map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
        headers: headersOf(status),
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${schemaName(operation, status, codes)}` },
            examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code)])),
          },
        },
      },
    ]),
  );
}

/**
 * The schemas that the responses refer to. A status with one code shares its schema with other
 * operations.
 */
export function errorComponents(operations: readonly Operation[]): JsonObject {
  const schemas = operations.flatMap((operation) =>
    codesByStatus(operation).map(([status, codes]) => [
      schemaName(operation, status, codes),
      errorSchema(codes),
    ]),
  );
  return Object.fromEntries(schemas);
}

function codesByStatus(operation: Operation): [number, ErrorCode[]][] {
  const grouped = Map.groupBy(operation.errors, (code) => ERRORS[code].status);
  return [...grouped].toSorted(([a], [b]) => a - b);
}

function schemaName(operation: Operation, status: number, codes: readonly ErrorCode[]): string {
  const [only = '', ...others] = codes;
  if (others.length > 0) return `${pascal(operation.id)}Error${status}`;
  return `${pascal(only.replace(/_error$/, ''))}Error`;
}

function errorSchema(codes: readonly ErrorCode[]) {
  return {
    type: 'object',
    description: `An error with the code ${codes.map((code) => `\`${code}\``).join(' or ')}.`,
    properties: {
      success: { type: 'boolean', const: false },
      error: {
        type: 'string',
        description: 'Stable code; branch on it. New codes may appear.',
        'x-extensible-enum': [...codes],
      },
      message: { type: 'string', description: 'For people; the wording may change.' },
    },
    required: ['success', 'error', 'message'],
  };
}

function headersOf(status: number) {
  const always = { 'X-Request-Id': header(requestIdDescription, true) };
  if (status === 401) return { ...always, 'WWW-Authenticate': header('Always `Bearer`.', true) };
  if (status === 405) return { ...always, Allow: header('Methods that this address takes.', true) };
  if (status === 429) return { ...always, 'Retry-After': header('Seconds to wait.', false) };
  return always;
}

function header(description: string, required: boolean) {
  return { description, required, schema: { type: 'string' as const } };
}

function exampleOf(code: ErrorCode) {
  return { summary: code, value: { success: false, error: code, message: ERRORS[code].message } };
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
