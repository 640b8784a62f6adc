// The procedure builder of the public router: every procedure carries its operation and its own
// error codes.
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import type { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import type { ErrorCode } from '../../openapi/errors.ts';
import type { Operation } from '../../openapi/operation.ts';
import type { PublicVerbs } from './public-verbs.ts';

/** One request to the public API, stripped of its transport. */
export interface PublicRequest {
  readonly verbs: PublicVerbs;
  readonly now: () => Date;
  readonly webhookUrlProblem: (url: string) => string | null;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The token `t` of a playable link. */
  readonly linkToken: string | undefined;
  /** The body, where it is not the input; throws AppError when it cannot be read. */
  readonly readBody: () => Promise<object>;
  /** Headers that the procedure wants on its answer. */
  readonly answerHeaders: Record<string, string>;
}

// Stack traces stay inside: without this the shape of errors depends on NODE_ENV.
export const t = initTRPC.context<PublicRequest>().meta<OpenApiMeta>().create({ isDev: false });

/** On the client `error.data.api` is exactly one of the codes that the operation declares. */
export function procedureFor<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Errors extends readonly ErrorCode[],
>(operation: Operation<Input, Output, Errors>) {
  const { id: operationId, method, path, summary } = operation;
  return t.procedure
    .meta({ openapi: { operationId, method, path, summary, errorResponses: [] } })
    .errors(({ error, shape }) => {
      if (!(error.cause instanceof AppError)) return undefined;
      // The binder turns a code that the operation does not declare into internal_error.
      const api = error.cause.code as Errors[number];
      return { ...shape, data: { ...shape.data, api } };
    });
}
