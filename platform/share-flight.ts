// Questions that are asked while an answer is on its way travel together in the next round trip.

interface Waiting<Question, Answer> {
  readonly question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * One round trip in the air at a time: what is asked meanwhile gathers and goes as one. A lone question goes at the
 * end of the present turn of the event loop; under load the round trips grow, not their number. `ask` answers in
 * the order of the questions; when it fails, each of them fails.
 */
export function shareFlight<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let gathered: Waiting<Question, Answer>[] = [];
  let busy = false;

  async function fly(): Promise<void> {
    while (gathered.length > 0) {
      const flight = gathered;
      gathered = [];
      await land(flight);
    }
    busy = false;
  }

  async function land(flight: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await ask(flight.map(({ question }) => question));
      for (const [index, asked] of flight.entries()) asked.resolve(answers[index] as Answer);
    } catch (error) {
      for (const asked of flight) asked.reject(error);
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      gathered.push({ question, resolve, reject });
      if (busy) return;
      busy = true;
      setImmediate(() => void fly());
    });
}
