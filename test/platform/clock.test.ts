import { expect, test } from 'vitest';
import { systemClock, turnableClock } from '../../platform/clock.ts';

const start = new Date('2026-03-01T12:00:00Z');

test('a system clock with an offset lives at another hour', () => {
  const aheadMs = systemClock(3_600_000).now().getTime() - systemClock().now().getTime();
  expect(aheadMs).toBeGreaterThan(3_599_000);
  expect(aheadMs).toBeLessThan(3_601_000);
});

test('a timer longer than Node allows does not fire at once', async () => {
  const clock = systemClock();
  let fired = false;
  const timer = clock.setTimer(() => (fired = true), 2 ** 31 + 10);
  await clock.sleep(20);
  timer.cancel();
  expect(fired).toBe(false);
});

test('a turnable clock stands still until it is turned', async () => {
  const clock = turnableClock(start);
  expect(clock.now()).toEqual(start);
  await clock.turn(90_000);
  expect(clock.now().toISOString()).toBe('2026-03-01T12:01:30.000Z');
  expect(clock.monotonicMs()).toBe(90_000);
});

test('turning fires due timers in the order of their time, each at its own time', async () => {
  const clock = turnableClock(start);
  const seen: [string, number][] = [];
  clock.setTimer(() => seen.push(['late', clock.monotonicMs()]), 300);
  clock.setTimer(() => seen.push(['early', clock.monotonicMs()]), 100);
  clock.setTimer(() => seen.push(['never', clock.monotonicMs()]), 1_001);
  await clock.turn(1_000);
  expect(seen).toEqual([
    ['early', 100],
    ['late', 300],
  ]);
});

test('timers that fired timers set fall due within the same turn', async () => {
  const clock = turnableClock(start);
  const seen: number[] = [];
  const repeat = async () => {
    for (let count = 0; count < 3; count += 1) {
      await clock.sleep(100);
      seen.push(clock.monotonicMs());
    }
  };
  const repeated = repeat();
  await clock.turn(1_000);
  await repeated;
  expect(seen).toEqual([100, 200, 300]);
});

test('a cancelled timer does not fire', async () => {
  const clock = turnableClock(start);
  let fired = false;
  clock.setTimer(() => (fired = true), 10).cancel();
  await clock.turn(100);
  expect(fired).toBe(false);
});

test.each([
  ['a turnable clock', turnableClock(start)],
  ['the system clock', systemClock()],
])('sleep on %s ends early and without error on abort', async (_, clock) => {
  const abort = new AbortController();
  const slept = clock.sleep(60_000, abort.signal);
  abort.abort();
  await expect(slept).resolves.toBeUndefined();
  await expect(clock.sleep(60_000, abort.signal)).resolves.toBeUndefined();
});
