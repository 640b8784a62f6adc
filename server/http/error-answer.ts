// Any failure -> one code of the catalogue, and the one shape in which errors leave.
import { TRPCError } from '@trpc/server';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../domain/app-error.ts';
import { ERRORS, type ErrorCode } from '../../openapi/errors.ts';

export interface ErrorAnswer {
  readonly code: ErrorCode;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

/** Failures that are not ours to explain become internal_error; their message never leaves. */
export function readErrorAnswer(error: unknown): ErrorAnswer {
  if (error instanceof AppError) {
    const { code, message, retryAfterSeconds } = error;
    return { code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
  }
  if (error instanceof TRPCError) return readProcedureError(error);
  if (isFrameworkRefusal(error)) return { code: 'invalid_request' };
  return { code: 'internal_error' };
}

export function errorBody(code: ErrorCode, message: string = ERRORS[code].message) {
  return { success: false, error: code, message } as const;
}

export function sendError(
  reply: FastifyReply,
  code: ErrorCode,
  details: Omit<ErrorAnswer, 'code'> = {},
): FastifyReply {
  if (code === 'unauthorized') reply.header('www-authenticate', 'Bearer');
  if (details.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.max(1, Math.ceil(details.retryAfterSeconds))));
  return reply.code(ERRORS[code].status).send(errorBody(code, details.message));
}

/** tRPC wraps what a procedure throws; only a refused input of the caller is explained. */
function readProcedureError(error: TRPCError): ErrorAnswer {
  const { cause } = error;
  if (cause instanceof AppError) return readErrorAnswer(cause);
  if (error.code === 'BAD_REQUEST' && cause instanceof z.core.$ZodError)
    return { code: 'invalid_request', message: describeIssue(cause.issues[0]) };
  return { code: 'internal_error' };
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return ERRORS.invalid_request.message;
  const field = issue.path.join('.') || 'body';
  return `${field}: ${issue.message.replace(/^Invalid input: /, '')}`;
}

/** What Fastify refuses before a handler runs is the client's doing. */
function isFrameworkRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}
