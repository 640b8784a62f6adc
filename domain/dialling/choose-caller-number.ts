// Which of a workspace's numbers a lead is called from. Pure.
import areaCodeTable from '../leads/data/us-area-codes.json' with { type: 'json' };
import { readNanpNumber } from '../leads/phone-number.ts';

/** An active number of the workspace, and what it did lately. */
export interface CallerNumber {
  readonly phone: string;
  /** Now or earlier when it may be used; later while it rests or its daily cap is reached. */
  readonly freeAt: Date;
  /** When it last rang this lead. */
  readonly rangLeadAt: Date | null;
  readonly lastDialAt: Date | null;
}

const statesOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(areaCodeTable.area_codes).map(([code, { states }]) => [code, states]),
);

/**
 * The number that rang the lead before, else one of the lead's area code, of its state, or any; of equals the one that
 * was not used for longest. Null when none is free.
 */
export function chooseCallerNumber(
  lead: string,
  numbers: readonly CallerNumber[],
  now: Date,
): string | null {
  const free = numbers.filter(({ freeAt }) => freeAt <= now);
  const [best] = free.toSorted(
    (one, other) =>
      distance(lead, one) - distance(lead, other) ||
      time(other.rangLeadAt) - time(one.rangLeadAt) ||
      time(one.lastDialAt) - time(other.lastDialAt) ||
      (one.phone < other.phone ? -1 : 1),
  );
  return best?.phone ?? null;
}

function distance(lead: string, { phone, rangLeadAt }: CallerNumber): number {
  if (rangLeadAt) return 0;
  const leadCode = readNanpNumber(lead)?.areaCode ?? '';
  const code = readNanpNumber(phone)?.areaCode ?? '';
  if (leadCode === code) return 1;
  const states = statesOf.get(leadCode) ?? [];
  return (statesOf.get(code) ?? []).some((state) => states.includes(state)) ? 2 : 3;
}

/** Never comes before any time. */
function time(at: Date | null): number {
  return at?.getTime() ?? 0;
}
