// What the gateway reported of an order's calls, first to last.
import { CallReport } from '../calls/call-report.ts';
import type { Context } from '../context.ts';
import { findCallReports } from './attempt-queries.ts';

export const StoredCallReport = CallReport.omit({ talkStartedAt: true, talkEndedAt: true });
export type StoredCallReport = Omit<CallReport, 'talkStartedAt' | 'talkEndedAt'>;

export async function readCallReports(
  ctx: Context,
  workspaceId: string,
  orderId: string,
): Promise<readonly StoredCallReport[]> {
  const stored = await findCallReports(ctx.db, workspaceId, orderId);
  return stored.map((report) => StoredCallReport.parse(report));
}
