// Named SQL of the analysis after a call.
import type { Db } from '../../platform/db.ts';
import type { ExtractedAnswer } from '../calls/call-report.ts';
import type { Qualification } from '../orders/order.ts';
import type { OrderMove } from '../orders/order-move.ts';

/** How an analysis ends, carried out by the SQL function end_analysis as a single statement. */
export interface AnalysisEnding {
  readonly workspaceId: string;
  readonly orderId: string;
  /** The number of the try; an ending of another try does nothing. */
  readonly tries: number;
  readonly now: Date;
  /** Null when it stays as it is. */
  readonly qualification: Qualification | null;
  /** Null when no model was heard. */
  readonly found: {
    readonly attemptId: string;
    readonly analyst: string;
    readonly answers: readonly ExtractedAnswer[];
    readonly summary: string | null;
  } | null;
  readonly deliveries: OrderMove['deliveries'];
}

/** False when another try ended it. */
export async function endAnalysis(db: Db, ending: AnalysisEnding): Promise<boolean> {
  const [answer] = await db<{ ended: boolean }[]>`
    select end_analysis(${db.json(ending as never)}) as ended`;
  return answer?.ended === true;
}

export async function findAttemptReport(
  db: Db,
  workspaceId: string,
  attemptId: string,
): Promise<unknown> {
  const [row] = await db<{ report: unknown }[]>`
    select report from attempts where workspace_id = ${workspaceId} and id = ${attemptId}`;
  return row?.report ?? null;
}
