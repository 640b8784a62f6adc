// One timer for all calls: 20 ms of every call's audio per tick, on a schedule that does not drift.
import type { Clock, Timer } from '../../../../platform/clock.ts';

export const frameMs = 20;

const limits = {
  /** A process that slept longer than this gives up what it missed. */
  catchUpMsMax: 1_000,
} as const;

export class Ticker implements Disposable {
  readonly #clock: Clock;
  readonly #lines = new Set<() => void>();
  #timer: Timer | null = null;
  #dueMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `tick` once per frame until what it returns is disposed. */
  add(tick: () => void): Disposable {
    this.#lines.add(tick);
    if (this.#timer === null) {
      this.#dueMs = this.#clock.monotonicMs() + frameMs;
      this.#wait();
    }
    return { [Symbol.dispose]: () => void this.#lines.delete(tick) };
  }

  [Symbol.dispose](): void {
    this.#lines.clear();
    this.#timer?.cancel();
    this.#timer = null;
  }

  #wait(): void {
    const waitMs = Math.max(0, this.#dueMs - this.#clock.monotonicMs());
    this.#timer = this.#clock.setTimer(() => this.#tickWhatIsDue(), waitMs);
  }

  #tickWhatIsDue(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#dueMs = Math.max(this.#dueMs, nowMs - limits.catchUpMsMax);
    for (; this.#dueMs <= nowMs; this.#dueMs += frameMs) for (const tick of this.#lines) tick();
    this.#timer = null;
    if (this.#lines.size > 0) this.#wait();
  }
}
