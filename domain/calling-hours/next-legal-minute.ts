// When a phone may ring next: federal hours, the state's rows and the agent's own, in every zone of the number. Pure.
import { limits } from '../../openapi/limits.ts';
import { agentTimetables, timetablesOf } from './number-timetables.ts';
import type { ClosingRule, Timetable } from './timetable.ts';
import type { ClockHours } from './clock-hours.ts';

/** Per weekday, Sunday first, in the lead's local time; null is a closed day. Absent means no hours of its own. */
export type AgentHours = readonly ClockHours[] | null;

/** The rule that keeps a phone from ringing. */
export interface Closure {
  readonly rule: ClosingRule;
  /** The zone of the number in which it is closed; IANA name. */
  readonly timeZone: string;
  /** When this rule opens again. */
  readonly until: Date;
}

export interface LegalMinute {
  readonly at: Date;
  /** What closes at the instant that was asked for; null when that instant is legal. */
  readonly why: Closure | null;
}

const searchMs = limits.order.callingWindowSearchDays * 24 * 60 * 60 * 1000;

/** From this instant on; null when no legal minute begins within 72 hours, or the number is not called at all. */
export function nextLegalMinute(
  phone: string,
  agentHours: AgentHours,
  from: Date,
): LegalMinute | null {
  const law = timetablesOf(phone);
  if (!law) return null;
  const tables = agentHours ? [...law, ...agentTimetables(phone, agentHours)] : law;
  const fromMs = from.getTime();
  const horizonMs = fromMs + searchMs;
  let why: Closure | null = null;
  let atMs = fromMs;
  // Every rule moves the instant on to its own opening; where none moves it, all are open and none was before.
  for (let moved = true; moved;) {
    moved = false;
    for (const table of tables) {
      const opensMs = table.opensAt(atMs, horizonMs);
      if (opensMs === Number.POSITIVE_INFINITY) return null;
      if (opensMs > atMs) moved = true;
      atMs = opensMs;
    }
  }
  if (atMs > fromMs) why = closureAt(tables, fromMs, horizonMs);
  return { at: new Date(atMs), why };
}

/** Of all rules that close at this instant, the one that stays closed longest; of equals, the first. */
function closureAt(
  tables: readonly Timetable[],
  instantMs: number,
  horizonMs: number,
): Closure | null {
  let longest: { rule: ClosingRule; timeZone: string; untilMs: number } | null = null;
  for (const table of tables) {
    const rule = table.closedBy(instantMs);
    if (!rule) continue;
    const untilMs = table.opensAt(instantMs, horizonMs);
    if (!longest || untilMs > longest.untilMs)
      longest = { rule, timeZone: table.timeZone, untilMs };
  }
  if (!longest) return null;
  return { rule: longest.rule, timeZone: longest.timeZone, until: new Date(longest.untilMs) };
}
