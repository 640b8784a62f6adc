import type { JobHelpers } from 'graphile-worker';
import type { Context } from '../domain/context.ts';

/** A task parses its payload and calls one verb. */
export interface TaskFile {
  run(ctx: Context, payload: Readonly<Record<string, unknown>>, helpers: JobHelpers): Promise<void>;
}
