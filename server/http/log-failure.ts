// A failure that nobody expected, in the log: enough to find it, nothing that a person sent.
import { TRPCError } from '@trpc/server';
import type { EdgeContext } from './edge.ts';

/**
 * Messages of drivers and parsers quote the values they choke on, so only names, codes and frames
 * are written.
 */
export function logFailure(
  { log }: Pick<EdgeContext, 'log'>,
  error: unknown,
  fields: { readonly requestId: string; readonly operation?: string },
): void {
  log.error({ ...fields, failure: describeFailure(unwrap(error)) }, 'a request failed');
}

function unwrap(error: unknown): unknown {
  return error instanceof TRPCError && error.cause ? error.cause : error;
}

function describeFailure(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    name: error.name,
    ...('code' in error && { code: String(error.code) }),
    frames: frames.map((line) => line.trim()),
    ...(error.cause !== undefined && { cause: describeFailure(error.cause) }),
  };
}
