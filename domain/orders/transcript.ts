// Which of the words heard are an order's transcript: those of the last attempt that reached a person. Pure.
import type { HeardTurn } from '../calls/call-desk.ts';
import type { Attempt } from './order.ts';

export interface AttemptTurn extends HeardTurn {
  readonly attemptId: string;
}

type HeardAttempt = Pick<Attempt, 'id' | 'state' | 'outcome' | 'answeredBy'>;

const reachedPerson = new Set(['person', 'dropped', 'failed']);

/** `attempts` from first to last. What a machine said, or the agent to nobody, is no conversation. */
export function transcriptOf(file: {
  readonly attempts: readonly HeardAttempt[];
  readonly turns: readonly AttemptTurn[];
}): readonly HeardTurn[] {
  const heard = new Set(
    file.turns.filter(({ role }) => role === 'user').map(({ attemptId }) => attemptId),
  );
  const attempt = file.attempts.findLast((one) => heard.has(one.id) && mayHavePerson(one));
  return file.turns.filter(({ attemptId }) => attemptId === attempt?.id);
}

function mayHavePerson({ state, outcome, answeredBy }: HeardAttempt): boolean {
  const ended = outcome !== null && !reachedPerson.has(outcome);
  return state !== 'not_placed' && answeredBy !== 'machine' && !ended;
}
