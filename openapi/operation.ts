// What an operation is: one object from which the route, the procedure, the document and the tests
// are made.
import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';

export interface Operation<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodType = z.ZodType,
  Errors extends readonly ErrorCode[] = readonly ErrorCode[],
> {
  /** Name of the procedure, and `operationId` in the document. */
  readonly id: string;
  readonly method: 'GET' | 'POST';
  /** Path with `{parameters}`; each one is a field of `input`. */
  readonly path: `/v1/${string}`;
  readonly tag: 'Orders';
  readonly summary: string;
  readonly description: string;
  readonly auth: 'apiKey' | 'none';
  /** Path parameters together with the query (GET) or the body (POST). */
  readonly input: Input;
  /** Absent on operations that take no body. */
  readonly body?: {
    readonly maxBytes: number;
    /** The code for a body that cannot be read. */
    readonly unreadable: ErrorCode;
    readonly examples: Readonly<Record<string, { summary: string; value: z.input<Input> }>>;
  };
  readonly requestHeaders?: z.ZodObject;
  readonly success: {
    readonly status: 200 | 202;
    readonly description: string;
    readonly schema: Output;
    readonly example: z.input<Output>;
    readonly headers?: z.ZodObject;
  };
  /** Every code that this operation may answer with; any other becomes `internal_error`. */
  readonly errors: Errors;
}

/** Keeps the exact types of one operation, above all its list of error codes. */
export function defineOperation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Errors extends readonly ErrorCode[],
>(operation: Operation<Input, Output, Errors>): Operation<Input, Output, Errors> {
  return operation;
}

/** Names of the `{parameters}` in the path of an operation. */
export function pathParameters(operation: { readonly path: string }): string[] {
  return Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
}
