// What the HTTP edge needs of the rest: a few parts of the context, and the verbs.
import type { Context } from '../../domain/context.ts';
import type { PublicVerbs } from '../trpc/public-verbs.ts';

export type EdgeContext = Pick<Context, 'clock' | 'log' | 'readiness' | 'webhookUrlProblem'>;

export interface Edge {
  readonly ctx: EdgeContext;
  readonly verbs: PublicVerbs;
}
