// Many questions, one round trip at a time, and nobody gets somebody else's answer.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareFlight } from '../../platform/share-flight.ts';

it('gathers what is asked while an answer is on its way', async () => {
  const flights: number[][] = [];
  const landings: (() => void)[] = [];
  const double = shareFlight((questions: readonly number[]) => {
    flights.push([...questions]);
    return new Promise<number[]>((resolve) => {
      landings.push(() => resolve(questions.map((question) => question * 2)));
    });
  });
  const first = [double(1), double(2)];
  await expect.poll(() => flights).toEqual([[1, 2]]);
  const second = [double(3), double(4)];
  landings[0]?.();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await expect
    .poll(() => flights)
    .toEqual([
      [1, 2],
      [3, 4],
    ]);
  landings[1]?.();
  expect(await Promise.all(second)).toEqual([6, 8]);
});

it('answers each question with its own answer, whatever fails between', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ value: fc.nat(), turns: fc.nat({ max: 3 }) }), { maxLength: 40 }),
      async (asked) => {
        const ask = shareFlight(async (values: readonly number[]) => {
          await Promise.resolve();
          if (values.some((value) => value % 7 === 3)) throw new Error('not this time');
          return values.map((value) => ({ value }));
        });
        const answers = await Promise.allSettled(
          asked.map(async ({ value, turns }) => {
            for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
            return ask(value);
          }),
        );
        for (const [index, answer] of answers.entries())
          if (answer.status === 'fulfilled')
            expect(answer.value).toEqual({ value: asked[index]?.value });
        // None is forgotten, and a failure does not end the service.
        await expect(ask(1)).resolves.toEqual({ value: 1 });
      },
    ),
  );
});
