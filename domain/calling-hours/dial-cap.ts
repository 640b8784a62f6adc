// How often one number may be dialled: the product's own limit, or the state's where that is stricter. Pure.
import { limits } from '../../openapi/limits.ts';
import { areaOf, stateRowsOf } from './number-timetables.ts';

export interface DialCap {
  /** Dials over all orders of a workspace. */
  readonly count: number;
  /** In any stretch of this length. */
  readonly periodHours: number;
}

const productCap: DialCap = { count: limits.calls.dialsPerNumberPer24Hours, periodHours: 24 };

/** One cap that keeps all: a state's 1 in 8 hours leaves no more than the product's 3 in 24. */
export function dialCapOf(phone: string): DialCap {
  const area = areaOf(phone);
  if (!area) return productCap;
  const caps = stateRowsOf(area).flatMap(({ row }) => [row.cap, row.automated?.cap ?? null]);
  return caps
    .filter((cap) => cap !== null)
    .map((cap): DialCap => ({ count: cap.count, periodHours: cap.hours }))
    .reduce((strictest, cap) => (keeps(cap, strictest) ? cap : strictest), productCap);
}

/** Whether keeping the one cap keeps the other as well. */
function keeps(cap: DialCap, other: DialCap): boolean {
  return cap.count * Math.ceil(other.periodHours / cap.periodHours) <= other.count;
}
