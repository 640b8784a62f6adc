// After the end: a model reads the call again, and what it adds is told once. A failing model loses nothing.
import { isDeepStrictEqual } from 'node:util';
import { addFindings, provenAnswers } from '../calls/add-findings.ts';
import type { CallFindings } from '../calls/analyst.ts';
import type { Context } from '../context.ts';
import { endAnalysis, findAttemptReport, type AnalysisEnding } from './analysis-queries.ts';
import { analysisTriesMax } from '../orders/due-queries.ts';
import type { Attempt } from '../orders/order.ts';
import { deliveriesOf } from '../orders/order-deliveries.ts';
import { nextStatus } from '../orders/order-machine.ts';
import { findOrderFile, type OrderFile } from '../orders/order-queries.ts';
import { StoredCallReport } from './read-call-reports.ts';

/** `tries` is the number of this try. A try that fails leaves the order due again. */
export async function analyseCall(
  ctx: Context,
  ref: { workspaceId: string; orderId: string; tries: number },
) {
  const file = await findOrderFile(ctx.db, ref.workspaceId, ref.orderId);
  const attempt = file?.attempts.at(-1);
  if (!file || !attempt || file.order.analysis !== 'pending') return;
  const ending = { ...ref, qualification: null, found: null, deliveries: [] };
  const giveUp = () => end(ctx, { ...ending, now: ctx.clock.now() }, 'given up');
  if (!ctx.analyst || ref.tries > analysisTriesMax) return giveUp();
  const turns = file.turns.filter(({ attemptId }) => attemptId === attempt.id);
  const result = await ctx.analyst.analyse({ agent: file.agent, turns });
  if (result.kind === 'failed') {
    ctx.log.warn({ orderId: ref.orderId, tries: ref.tries, detail: result.detail }, 'no analysis');
    return ref.tries < analysisTriesMax ? undefined : giveUp();
  }
  const added = await whatIsAdded(ctx, file, attempt, result.findings);
  await end(ctx, { ...ending, ...added, now: ctx.clock.now() }, 'done');
}

async function whatIsAdded(
  ctx: Context,
  file: OrderFile,
  attempt: Attempt,
  { answers, summary }: CallFindings,
): Promise<Pick<AnalysisEnding, 'qualification' | 'found' | 'deliveries'>> {
  const { order, agent } = file;
  const turns = file.turns.filter(({ attemptId }) => attemptId === attempt.id);
  const proven = provenAnswers(agent, turns, answers);
  const stored = await findAttemptReport(ctx.db, order.workspaceId, attempt.id);
  const report = stored ? StoredCallReport.parse(stored) : { answers: [], askedKeys: [] };
  const found = {
    attemptId: attempt.id,
    analyst: ctx.analyst?.name ?? '',
    answers: proven,
    summary,
  };
  const before = order.qualification;
  const after = before && addFindings(agent, before, report, { answers: proven, summary });
  const adds = after !== null && !isDeepStrictEqual(after, before);
  const { event } = nextStatus(order.status, adds ? 'analysis_added' : 'analysis_ended');
  const told = { ...order, qualification: after, analysis: 'complete' as const };
  const deliveries = deliveriesOf(ctx, file, told, event, ctx.clock.now());
  return { qualification: adds ? after : null, found, deliveries };
}

async function end(ctx: Context, ending: AnalysisEnding, how: 'done' | 'given up') {
  if (!(await endAnalysis(ctx.db, ending))) return;
  const adds = ending.qualification !== null;
  ctx.log.info({ orderId: ending.orderId, tries: ending.tries, how, adds }, 'analysis ended');
  if (ending.deliveries.length > 0) ctx.wakeJobs(ending.now);
}
