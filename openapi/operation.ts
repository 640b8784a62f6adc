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
  readonly tag: 'Orders' | 'Leads' | 'Recordings' | 'Workspace';
  readonly summary: string;
  readonly description: string;
  /**
   * `apiKeyOrNotFound` answers a bad key with 404, and `apiKeyOrLink` takes the token of a link too.
   */
  readonly auth: 'apiKey' | 'apiKeyOrNotFound' | 'apiKeyOrLink' | 'none';
  /** Path parameters together with the query, or with the body where it has our fields. */
  readonly input: Input;
  /** Absent on operations that take no body. */
  readonly body?: FieldsBody<Input> | FreeBody;
  readonly requestHeaders?: z.ZodObject;
  readonly success: {
    readonly status: 200 | 202;
    readonly description: string;
    readonly schema: Output;
    readonly example: z.input<Output>;
    readonly headers?: z.ZodObject;
    /** Present when the answer is a file: `schema` then types only what the procedure returns. */
    readonly bytes?: BytesAnswer;
  };
  /** Every code that this operation may answer with; any other becomes `internal_error`. */
  readonly errors: Errors;
}

interface BodyLimits {
  readonly maxBytes: number;
  /** The code for a body that cannot be read. */
  readonly unreadable: ErrorCode;
}

type Examples<Value> = Readonly<Record<string, { summary: string; value: Value }>>;

/** A JSON object with the fields of `input`. */
interface FieldsBody<Input extends z.ZodObject> extends BodyLimits {
  readonly examples: Examples<z.input<Input>>;
}

export type BodyType =
  'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data';

/** A body in the sender's own shape: the procedure reads it when its checks have come to it. */
export interface FreeBody extends BodyLimits {
  readonly freeForm: {
    /** For the document alone; nothing is held to it. */
    readonly schema: z.ZodObject;
    /** The first one is documented with every example, the others with the first. */
    readonly contentTypes: readonly BodyType[];
    readonly examples: Examples<object>;
  };
}

/** How an operation answers with a file in place of JSON. */
export interface BytesAnswer {
  readonly contentType: 'audio/mpeg';
  readonly description: string;
  /** What a conditional or partial request may get; these carry no error code. */
  readonly otherAnswers: Readonly<
    Record<206 | 304 | 416, { description: string; hasContent: boolean; headers: z.ZodObject }>
  >;
}

/** Keeps the exact types of one operation, above all its list of error codes. */
export function defineOperation<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  const Errors extends readonly ErrorCode[],
>(operation: Operation<Input, Output, Errors>): Operation<Input, Output, Errors> {
  return operation;
}

export function freeBodyOf({ body }: Pick<Operation, 'body'>): FreeBody | null {
  return body && 'freeForm' in body ? body : null;
}

/** Names of the `{parameters}` in the path of an operation. */
export function pathParameters(operation: { readonly path: string }): string[] {
  return Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
}
