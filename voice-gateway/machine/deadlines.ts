// What happens when a time runs out. Every state has at least one, so every call ends.
import { nobodyThere } from './arbiter.ts';
import { pauseAgent, resumeAgent } from './barge-in.ts';
import type { CallState, DeadlineName } from './call-state.ts';
import { failCall, finish, hangUp } from './ending.ts';
import { breathOver, noticeCut, startNotice } from './notice.ts';
import { retryOptOut } from './opt-out.ts';
import { idleTooLong, speechStalled } from './replies.ts';
import { andThen, clearDeadlines, step, type Step } from './step.ts';
import { softLimitReached, wrapUpNow } from './time-limits.ts';
import { decideTurn } from './turns.ts';

/** Runs what fell due by now, in the order in which it fell due. */
export function runDeadlines(state: CallState, nowMs: number): Step {
  const due = earliestDue(state, nowMs);
  if (!due) return step(state);
  const fired = runDeadline(clearDeadlines(state, due.name), due.name, due.atMs);
  return andThen(fired, (next) => runDeadlines(next, nowMs));
}

/** When the machine wants a `tick` if nothing else happens. */
export function nextWakeAtMs(state: CallState): number | null {
  const times = Object.values(state.deadlines);
  return times.length === 0 ? null : Math.min(...times);
}

function earliestDue(state: CallState, nowMs: number) {
  let earliest: { name: DeadlineName; atMs: number } | null = null;
  for (const [key, atMs] of Object.entries(state.deadlines)) {
    // Object.entries widens the keys of a record that has no others.
    const name = key as DeadlineName;
    if (atMs <= nowMs && (earliest === null || atMs < earliest.atMs)) earliest = { name, atMs };
  }
  return earliest;
}

function runDeadline(state: CallState, name: DeadlineName, atMs: number): Step {
  switch (name) {
    case 'connect':
      return finish(state, 'carrier', atMs);
    case 'firstWords':
      return startNotice(state);
    case 'noticeStall':
      return noticeCut(state, atMs);
    case 'breath':
      return breathOver(state, atMs);
    case 'bargeIn':
      return pauseAgent(state, atMs);
    case 'falseAlarm':
      return resumeAgent(state, atMs);
    case 'endpoint':
      return decideTurn(state, atMs);
    case 'thinking':
      return failCall(state, atMs);
    case 'speechStall':
      return speechStalled(state, atMs);
    case 'idle':
      return idleTooLong(state, atMs);
    case 'nobody':
      return nobodyThere(state, atMs);
    case 'holdExtension':
      return step(state, { kind: 'extend_hold' });
    case 'softLimit':
      return softLimitReached(state);
    case 'wrapUp':
      return wrapUpNow(state, atMs);
    case 'hardLimit':
    case 'closing':
      return hangUp(state, 'agent', atMs);
    case 'optOutRetry':
      return retryOptOut(state, atMs);
    case 'hangUp':
      return finish(state, 'agent', atMs);
  }
}
